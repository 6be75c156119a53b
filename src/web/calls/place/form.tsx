// The form that places a call. Above its button stands the verdict of the call policy, before any phone rings.

import { Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useVerdict } from '../../call-verdict/use-verdict.ts'
import { Verdict } from '../../call-verdict/verdict.tsx'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { ActiveAgentsDocument, PlaceCallDocument } from '../../generated/documents/calls.ts'
import { callWords } from '../../language/en/calls.ts'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { fromZone } from '../../language/zone.ts'
import { AnchorLink } from '../../pieces/links.tsx'

interface PlaceCallProps {
  toNumber?: string
  onClose(): void
  onPlaced(id: string): void
}

interface Values {
  voiceAgentId: string | null
  toNumber: string
  earliestAt: string
  record: boolean
}

export function PlaceCall({ toNumber = '', onClose, onPlaced }: PlaceCallProps) {
  const [{ data, fetching }] = useQuery({ query: ActiveAgentsDocument })
  const agents = data?.voiceAgents.nodes ?? []
  const write = useWriteForm({
    document: PlaceCallDocument,
    initialValues: { voiceAgentId: null, toNumber, earliestAt: '', record: true } satisfies Values as Values,
    validate: {
      voiceAgentId: value => (value ? null : callPageWords.form.chooseAgent),
      toNumber: value => (value.trim() === '' ? callPageWords.form.enterNumber : null),
    },
    toVariables: values => ({ input: inputOf(values) }),
    onWritten: ({ createCall }) => onPlaced(createCall.id),
  })
  const { form } = write
  const [values, setValues] = useState<Values>(form.getValues())
  const watch = <Name extends keyof Values>(name: Name) =>
    form.watch(name, ({ value }) => setValues(before => ({ ...before, [name]: value })))
  watch('voiceAgentId')
  watch('toNumber')
  watch('earliestAt')
  const verdict = useVerdict(values.voiceAgentId && values.toNumber.trim() !== '' ? inputOf(values) : null)

  return (
    <WriteFormView write={write} verb={callPageWords.place} onCancel={onClose}>
      <Select
        label={callPageWords.columns.agent}
        description={
          !fetching && agents.length === 0 ? (
            <>
              {callPageWords.form.noAgent}{' '}
              <AnchorLink to="/agents" inherit>
                {callPageWords.form.makeOne}
              </AnchorLink>
            </>
          ) : undefined
        }
        placeholder={callPageWords.form.agent}
        data={agents.map(({ id, name, provider }) => ({ value: id, label: `${name} (${callWords.provider[provider]})` }))}
        searchable
        data-autofocus
        {...form.getInputProps('voiceAgentId')}
      />
      <TextInput
        label={callPageWords.columns.number}
        type="tel"
        description={callPageWords.form.numberHelp}
        {...form.getInputProps('toNumber')}
      />
      <TextInput
        label={callPageWords.form.notBefore}
        type="datetime-local"
        description={callPageWords.form.notBeforeHelp}
        {...form.getInputProps('earliestAt')}
      />
      <Checkbox label={callPageWords.form.record} {...form.getInputProps('record', { type: 'checkbox' })} />
      <Verdict verdict={verdict} />
    </WriteFormView>
  )
}

function inputOf({ voiceAgentId, toNumber, earliestAt, record }: Values) {
  const at = fromZone(earliestAt)
  return {
    voiceAgentId: voiceAgentId ?? '',
    // People write numbers with spaces and brackets; the API takes E.164.
    toNumber: toNumber.replaceAll(/[\s()./-]/g, ''),
    record,
    ...(!Number.isNaN(at.getTime()) && { schedule: { earliestAt: at.toISOString() } }),
  }
}
