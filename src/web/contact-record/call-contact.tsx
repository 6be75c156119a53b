// Places a call to a contact by a voice agent.

import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useVerdict } from '../call-verdict/use-verdict.ts'
import { Verdict } from '../call-verdict/verdict.tsx'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Dialog } from '../frame/floating/dialog.tsx'
import { CallContactDocument } from '../generated/documents/contact-record.ts'
import { AgentsToCallWithDocument } from '../generated/documents/contact-record-fields.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { notify } from '../pieces/notices/refusal.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import type { Option } from './fields/fields.ts'
import { nameOf } from './fields/fields.ts'
import type { ContactRecord } from './use-record.ts'

interface CallContactProps {
  contact: ContactRecord
  isOpen: boolean
  onClose(): void
}

export default function CallContact({ contact, isOpen, onClose }: CallContactProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={recordWords.actions.callName(nameOf(contact))}>
      <CallWithAgents contact={contact} onClose={onClose} />
    </Dialog>
  )
}

function CallWithAgents(props: Omit<CallContactProps, 'isOpen'>) {
  const [{ data }] = useQuery({ query: AgentsToCallWithDocument })
  if (!data) return <LateSkeleton height={32} />
  const agents = data.voiceAgents.nodes.map(({ id, name }) => ({ value: id, label: name }))
  if (agents.length > 0) return <CallForm {...props} agents={agents} />
  return (
    <Empty
      sentence={recordWords.call.noAgent}
      action={
        <ButtonLink to="/agents" replace>
          {recordWords.call.toAgents}
        </ButtonLink>
      }
    />
  )
}

function CallForm({ contact, onClose, agents }: Omit<CallContactProps, 'isOpen'> & { agents: readonly Option[] }) {
  const initialValues = { voiceAgentId: agents[0]?.value ?? '', toNumber: contact.phone ?? '' }
  const inputOf = (values: typeof initialValues) => ({ ...values, contactId: contact.id })
  const write = useWriteForm({
    document: CallContactDocument,
    initialValues,
    toVariables: values => ({ input: inputOf(values) }),
    onWritten: () => {
      onClose()
      notify(recordWords.call.queued(nameOf(contact)))
    },
  })
  const { form } = write
  const [values, setValues] = useState(initialValues)
  for (const name of ['voiceAgentId', 'toNumber'] as const)
    form.watch(name, ({ value }) => setValues(before => ({ ...before, [name]: value })))
  const verdict = useVerdict(values.toNumber.trim() === '' ? null : inputOf(values))
  return (
    <WriteFormView write={write} verb={recordWords.call.place} isReady onCancel={onClose}>
      <Select label={recordWords.call.agent} data={[...agents]} allowDeselect={false} {...form.getInputProps('voiceAgentId')} />
      <TextInput label={recordWords.call.number} type="tel" {...form.getInputProps('toNumber')} />
      <Verdict verdict={verdict} />
    </WriteFormView>
  )
}
