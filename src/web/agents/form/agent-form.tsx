// The form of a voice agent, for a new one and for changes.

import { Autocomplete, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { ChangeFormView } from '../../forms/change-form-view.tsx'
import { useChangeForm } from '../../forms/use-change-form.ts'
import { useWriteForm, type WriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { CreateVoiceAgentDocument, UpdateVoiceAgentDocument, VoiceAgentPageDocument } from '../../generated/documents/agents.ts'
import type { VoiceAgentSetupFragment } from '../../generated/operations.ts'
import { agentWords } from '../../language/en/agents.ts'
import { callWords } from '../../language/en/calls.ts'
import { agentPageWords } from '../../language/en/screens/agents.ts'
import { optionsOf } from '../../language/values.ts'
import { useUsualHours } from '../usual-hours.ts'
import { type AgentValues, checks, inputOf, newInputOf, textOf, valuesOf } from './agent-values.ts'
import type { TemplateId } from './steps.ts'
import { valuesFrom } from './templates.ts'
import { TextWithFields } from './text-with-fields.tsx'
import { useFilling } from './use-filling.ts'
import { languageOptions, voiceSuggestions } from './voices.ts'
import { WantedAsJson } from './wanted-as-json.tsx'
import { WantedRows } from './wanted-rows.tsx'

interface NewAgentProps {
  template: TemplateId | null
  onCancel(): void
  onWritten(id: string): void
}

export function AgentForm({ template, onCancel, onWritten }: NewAgentProps) {
  const setUsualHours = useUsualHours()
  const write = useWriteForm({
    document: CreateVoiceAgentDocument,
    draft: `new-voice-agent ${template ?? ''}`,
    initialValues: valuesFrom(template),
    validate: checks,
    toVariables: values => ({ input: newInputOf(values) }),
    async onWritten({ createVoiceAgent }) {
      onWritten(createVoiceAgent.id)
      if (await setUsualHours())
        notifications.show({ message: callWords.hours.set, autoClose: 10_000, closeButtonProps: { 'aria-label': agentPageWords.dismiss } })
    },
  })
  return (
    <WriteFormView write={write} verb={agentPageWords.create} onCancel={onCancel}>
      <AgentFields form={write.form} isNew />
    </WriteFormView>
  )
}

export function AgentEditor({ agent, onWritten }: { agent: VoiceAgentSetupFragment; onWritten(): void }) {
  const change = useChangeForm({
    object: agent,
    valuesOf,
    inputOf,
    now: VoiceAgentPageDocument,
    pickNow: ({ voiceAgent }) => voiceAgent,
    document: UpdateVoiceAgentDocument,
    toVariables: (input, which) => ({ input: { ...input, ...which } }),
    pickWritten: ({ updateVoiceAgent }) => updateVoiceAgent,
    validate: checks,
    draft: `voice-agent ${agent.id}`,
    onWritten,
  })
  return (
    <ChangeFormView change={change} verb={agentPageWords.save} labels={agentWords.fields} textOf={textOf}>
      <AgentFields form={change.form} />
    </ChangeFormView>
  )
}

function AgentFields({ form, isNew = false }: Pick<WriteForm<AgentValues>, 'form'> & { isNew?: boolean }) {
  const { filling, customFields } = useFilling()
  const texts = { form, filling, customFields }
  return (
    <>
      {/* autoFocus: the form comes after the panel has chosen its focus. */}
      <TextInput label={agentWords.fields.name} data-autofocus={isNew || undefined} autoFocus={isNew} {...form.getInputProps('name')} />
      <TextWithFields {...texts} name="instructions" minRows={5} preview={agentWords.read} />
      <TextWithFields {...texts} name="firstMessage" minRows={2} preview={agentWords.heard} />
      <WantedRows form={form} customFields={customFields} />
      <PhoneFields form={form} isNew={isNew} />
      <WantedAsJson form={form} />
    </>
  )
}

function PhoneFields({ form, isNew }: Pick<WriteForm<AgentValues>, 'form'> & { isNew: boolean }) {
  const { fields, help } = agentWords
  const [provider, setProvider] = useState(() => form.getValues().provider)
  const [language, setLanguage] = useState(() => form.getValues().language)
  form.watch('provider', ({ value }) => setProvider(value))
  form.watch('language', ({ value }) => setLanguage(value ?? ''))
  return (
    <>
      <Select
        label={fields.provider}
        description={help.provider}
        data={optionsOf(callWords.provider)}
        allowDeselect={false}
        {...form.getInputProps('provider')}
      />
      {provider === 'HTTP' && (
        <TextInput label={fields.dispatchUrl} type="url" description={help.dispatchUrl} {...form.getInputProps('dispatchUrl')} />
      )}
      <TextInput label={fields.phoneNumber} type="tel" description={help.phoneNumber} {...form.getInputProps('phoneNumber')} />
      <Select
        label={fields.language}
        description={isNew ? help.newLanguage : help.language}
        data={languageOptions(language)}
        searchable
        clearable
        {...form.getInputProps('language')}
      />
      {(provider === 'TWILIO' || provider === 'VAPI') && (
        <Autocomplete
          label={fields.voice}
          description={help.voice}
          data={[...voiceSuggestions(provider, language)]}
          {...form.getInputProps('voice')}
        />
      )}
    </>
  )
}
