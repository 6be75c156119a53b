// The editor of an agent: what it says, what it takes from a conversation, and by whom it calls. The same for a new one.

import { JsonInput, Select, Textarea, TextInput } from '@mantine/core'
import { useWriteForm, type WriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { CreateVoiceAgentDocument, UpdateVoiceAgentDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentSetupFragment } from '../generated/operations.ts'
import { telephoneProviderValues } from '../generated/schema.ts'
import { words } from '../pieces/status.tsx'
import { type AgentValues, checks, emptyAgent, inputOf, valuesOf } from './agent-values.ts'

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

/** Names the version it was opened with: somebody else's change is not written over. */
export function AgentEditor({ agent, onWritten }: { agent: VoiceAgentSetupFragment; onWritten(): void }) {
  const write = useWriteForm({
    document: UpdateVoiceAgentDocument,
    draft: `agent ${agent.id} ${agent.version}`,
    initialValues: valuesOf(agent),
    validate: checks,
    toVariables: values => ({ input: { ...inputOf(values), id: agent.id, ifVersion: agent.version } }),
    onWritten,
  })
  return (
    <WriteFormView write={write} verb="Save agent">
      <AgentFields form={write.form} />
    </WriteFormView>
  )
}

function AgentFields({ form }: Pick<WriteForm<AgentValues>, 'form'>) {
  const field = (name: keyof AgentValues) => ({ key: form.key(name), ...form.getInputProps(name) })
  return (
    <>
      <TextInput label="Name" {...field('name')} />
      <Textarea label="First message" description="What it says when somebody answers" autosize minRows={2} {...field('firstMessage')} />
      <Textarea
        label="Instructions"
        description="Who it is, what it is to find out, and when it ends the call"
        autosize
        minRows={5}
        maxRows={16}
        {...field('instructions')}
      />
      <JsonInput
        label="Extracted values"
        description='By name, such as {"job_title": {"type": "string"}}'
        autosize
        minRows={3}
        maxRows={12}
        validationError="This is not JSON"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...field('extraction')}
      />
      <Select
        label="Provider"
        description="The simulator calls nobody and costs nothing at a provider"
        data={telephoneProviderValues.map(value => ({ value, label: words(value) }))}
        allowDeselect={false}
        {...field('provider')}
      />
      <TextInput label="Calls from" type="tel" description="A number of your account at the provider" {...field('phoneNumber')} />
      <TextInput label="Dispatch address" type="url" description="For the provider HTTP: where calls are sent" {...field('dispatchUrl')} />
    </>
  )
}
