// The form that places a call, to a contact or to a number. Above its button stands the verdict of the call policy, before any phone rings.

import { Autocomplete, type AutocompleteProps, Checkbox, Group, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { ActiveAgentsDocument, PlaceCallDocument } from '../generated/documents/call-form.ts'
import type { ActiveAgentsQuery, PlaceCallMutation } from '../generated/operations.ts'
import { callWords } from '../language/en/calls.ts'
import { callFormWords } from '../language/en/screens/call-form.ts'
import { numberText } from '../language/format.ts'
import { byLabel } from '../language/order.ts'
import { fromZone } from '../language/zone.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { ContactSelect } from './contact-select.tsx'
import { useVerdict } from './use-verdict.ts'
import { Verdict } from './verdict.tsx'

interface Callee {
  id: string
  phone?: string | null
  phones?: readonly { value: string; label?: string | null }[] | null
}

export type PlacedCall = PlaceCallMutation['createCall']

interface CallFormProps {
  /** The contact to call. Without one the form looks for it, and asks for the time and the recording too. */
  contact?: Callee
  onClose(): void
  onPlaced(call: PlacedCall): void
}

type Agents = ActiveAgentsQuery['voiceAgents']['nodes']

interface Values {
  voiceAgentId: string | null
  toNumber: string
  earliestAt: string
  record: boolean
}

export default function CallForm(props: CallFormProps) {
  const [{ data }] = useQuery({ query: ActiveAgentsDocument })
  if (!data) return <LateSkeleton height={32} />
  const agents = data.voiceAgents.nodes
  if (agents.length > 0) return <CallFormWith {...props} agents={agents} />
  return (
    <Empty
      sentence={callFormWords.noAgent}
      action={
        <ButtonLink to="/agents" replace>
          {callFormWords.toAgents}
        </ButtonLink>
      }
    />
  )
}

function CallFormWith({ contact: given, agents, onClose, onPlaced }: CallFormProps & { agents: Agents }) {
  const [contact, setContact] = useState<Callee | null>(given ?? null)
  const isQuick = given !== undefined
  // A call to a contact takes two clicks, so an agent is chosen. Otherwise only the one that there is.
  const [first] = isQuick || agents.length === 1 ? agents : []
  const write = useWriteForm({
    document: PlaceCallDocument,
    initialValues: {
      ...{ voiceAgentId: first?.id ?? null, toNumber: given?.phone ?? '', earliestAt: '', record: true },
    } satisfies Values as Values,
    validate: {
      voiceAgentId: value => (value ? null : callFormWords.chooseAgent),
      toNumber: value => (value.trim() === '' ? callFormWords.enterNumber : null),
    },
    toVariables: values => ({ input: inputOf(values, contact) }),
    onWritten: ({ createCall }) => onPlaced(createCall),
  })
  const { form } = write
  const [values, setValues] = useState<Values>(form.getValues())
  const watch = <Name extends keyof Values>(name: Name) =>
    form.watch(name, ({ value }) => setValues(before => ({ ...before, [name]: value })))
  watch('voiceAgentId')
  watch('toNumber')
  watch('earliestAt')
  const verdict = useVerdict(values.voiceAgentId && values.toNumber.trim() !== '' ? inputOf(values, contact) : null)
  const isSimulated = agents.find(({ id }) => id === values.voiceAgentId)?.provider === 'SIMULATOR'
  const choose = (chosen: Callee | null) => {
    setContact(chosen)
    if (chosen?.phone) form.setFieldValue('toNumber', chosen.phone)
  }

  return (
    <WriteFormView write={write} verb={callFormWords.place} isReady={isQuick} onCancel={onClose}>
      {!isQuick && <ContactSelect onChoose={choose} />}
      <NumberInput contact={contact} {...form.getInputProps('toNumber')} />
      <Select
        label={callFormWords.agent}
        placeholder={callFormWords.agentHint}
        data={agents.map(({ id, name, provider }) => ({ value: id, label: `${name} (${callWords.provider[provider]})` })).toSorted(byLabel)}
        searchable={agents.length > 8}
        allowDeselect={false}
        {...form.getInputProps('voiceAgentId')}
      />
      {!isQuick && (
        <TextInput
          label={callFormWords.notBefore}
          type="datetime-local"
          description={callFormWords.notBeforeHelp}
          {...form.getInputProps('earliestAt')}
        />
      )}
      {!isQuick && !isSimulated && <Checkbox label={callFormWords.record} {...form.getInputProps('record', { type: 'checkbox' })} />}
      <Verdict verdict={verdict} isSimulated={isSimulated} />
    </WriteFormView>
  )
}

interface NumberInputProps extends Pick<AutocompleteProps, 'defaultValue' | 'error' | 'onChange'> {
  contact: Callee | null
}

function NumberInput({ contact, ...input }: NumberInputProps) {
  const phones = contact?.phones ?? []
  const labelOf = new Map(phones.map(({ value, label }) => [value, label]))
  const isChoice = labelOf.size > 1
  return (
    <Autocomplete
      label={callFormWords.number}
      type="tel"
      description={isChoice ? callFormWords.severalNumbers(numberText(labelOf.size)) : contact ? undefined : callFormWords.numberHelp}
      data={isChoice ? [...labelOf.keys()] : []}
      // All of them, whichever is chosen.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Group gap="xs">
          {option.value}
          <Text size="xs" c="dimmed">
            {labelOf.get(option.value)}
          </Text>
        </Group>
      )}
      {...input}
    />
  )
}

function inputOf({ voiceAgentId, toNumber, earliestAt, record }: Values, contact: Callee | null) {
  const at = fromZone(earliestAt)
  return {
    voiceAgentId: voiceAgentId ?? '',
    // People write numbers with spaces and brackets; the API takes E.164.
    toNumber: toNumber.replaceAll(/[\s()./-]/g, ''),
    record,
    ...(contact && { contactId: contact.id }),
    ...(!Number.isNaN(at.getTime()) && { schedule: { earliestAt: at.toISOString() } }),
  }
}
