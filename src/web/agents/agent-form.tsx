// The form of a voice agent, for a new one and for changes.

import { Select, Textarea, TextInput } from '@mantine/core'
import { ChangeFormView } from '../forms/change-form-view.tsx'
import { useChangeForm } from '../forms/use-change-form.ts'
import { useWriteForm, type WriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { CreateVoiceAgentDocument, UpdateVoiceAgentDocument, VoiceAgentPageDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentSetupFragment } from '../generated/operations.ts'
import { callWords } from '../language/en/calls.ts'
import { optionsOf } from '../language/values.ts'
import { type AgentValues, checks, emptyAgent, inputOf, labels, textOf, valuesOf } from './agent-values.ts'
import { Questions } from './questions.tsx'

interface NewAgentProps {
  onCancel(): void
  onWritten(id: string): void
}

export function AgentForm({ onCancel, onWritten }: NewAgentProps) {
  const write = useWriteForm({
    document: CreateVoiceAgentDocument,
    draft: 'new-agent',
    initialValues: emptyAgent,
    validate: checks,
    toVariables: values => ({ input: inputOf(values) }),
    onWritten: ({ createVoiceAgent }) => onWritten(createVoiceAgent.id),
  })
  return (
    <WriteFormView write={write} verb="Create agent" onCancel={onCancel}>
      <AgentFields form={write.form} />
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
    draft: `agent ${agent.id}`,
    onWritten,
  })
  return (
    <ChangeFormView change={change} verb="Save agent" labels={labels} textOf={textOf}>
      <AgentFields form={change.form} />
    </ChangeFormView>
  )
}

function AgentFields({ form }: Pick<WriteForm<AgentValues>, 'form'>) {
  return (
    <>
      <TextInput label={labels.name} {...form.getInputProps('name')} />
      <Textarea
        label={labels.firstMessage}
        description="The first words when somebody answers"
        autosize
        minRows={2}
        {...form.getInputProps('firstMessage')}
      />
      <Textarea
        label={labels.instructions}
        description="Its role, its questions, and when it ends the call"
        autosize
        minRows={5}
        maxRows={16}
        {...form.getInputProps('instructions')}
      />
      <Questions label={labels.extraction} {...form.getInputProps('extraction')} />
      <Select
        label={labels.provider}
        description="The simulator plays a conversation and calls nobody"
        data={optionsOf(callWords.provider)}
        allowDeselect={false}
        {...form.getInputProps('provider')}
      />
      <TextInput
        label={labels.phoneNumber}
        type="tel"
        description="A number of your account at the provider"
        {...form.getInputProps('phoneNumber')}
      />
      <TextInput
        label={labels.dispatchUrl}
        type="url"
        description="For your own server: where calls are sent"
        {...form.getInputProps('dispatchUrl')}
      />
    </>
  )
}
