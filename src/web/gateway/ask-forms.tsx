// Two forms for the gateway: a wake sends an event to the main session, and a run starts an assistant.

import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { StartAgentRunDocument, WakeDocument } from '../generated/documents/gateway.ts'
import type { WakeMode } from '../generated/schema.ts'
import { assistantWords } from '../language/en/assistant.ts'
import { assistantPageWords } from '../language/en/screens/assistant.ts'
import { optionsOf } from '../language/values.ts'

const requireText = (value: string) => (value.trim() === '' ? assistantPageWords.form.enterText : null)

export function WakeForm({ onCancel, onDone }: { onCancel(): void; onDone(): void }) {
  const write = useWriteForm({
    document: WakeDocument,
    draft: 'wake',
    initialValues: { text: '', mode: 'NOW' satisfies WakeMode as WakeMode },
    validate: { text: requireText },
    toVariables: values => ({ input: values }),
    onWritten: onDone,
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={assistantPageWords.wake} onCancel={onCancel}>
      <Textarea label={assistantPageWords.form.event} autosize minRows={3} data-autofocus {...form.getInputProps('text')} />
      <Select
        label={assistantPageWords.form.time}
        data={optionsOf(assistantWords.wake)}
        allowDeselect={false}
        {...form.getInputProps('mode')}
      />
    </WriteFormView>
  )
}

export function RunForm({ onCancel, onDone }: { onCancel(): void; onDone(runId: string): void }) {
  const write = useWriteForm({
    document: StartAgentRunDocument,
    draft: 'agent-run',
    initialValues: { message: '', sessionKey: '', deliver: false },
    validate: { message: requireText },
    toVariables: ({ message, sessionKey, deliver }) => ({
      input: { message, deliver, ...(sessionKey.trim() !== '' && { sessionKey: sessionKey.trim() }) },
    }),
    onWritten: ({ startAgentRun }) => onDone(startAgentRun.runId),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={assistantPageWords.run} onCancel={onCancel}>
      <Textarea
        label={assistantPageWords.form.instructions}
        autosize
        minRows={4}
        maxRows={16}
        data-autofocus
        {...form.getInputProps('message')}
      />
      <TextInput
        label={assistantPageWords.form.session}
        description={assistantPageWords.form.sessionHelp}
        {...form.getInputProps('sessionKey')}
      />
      <Checkbox label={assistantPageWords.form.deliver} {...form.getInputProps('deliver', { type: 'checkbox' })} />
    </WriteFormView>
  )
}
