// The form of an invitation: by mail, or as a link that is shown once.

import { Button, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { SignInOptionsDocument } from '../../generated/documents/session.ts'
import { InviteByLinkDocument, InviteMemberDocument } from '../../generated/documents/settings.ts'
import type { InvitedRole, OrganizationRole } from '../../generated/schema.ts'
import { announce } from '../../keyboard/announce.tsx'
import { peopleWords } from '../../language/en/people.ts'
import { memberWords } from '../../language/en/settings/members.ts'
import { Secret } from '../keys/secret.tsx'
import { rolesToGive } from './roles.ts'

interface InviteProps {
  own: OrganizationRole
  onClose(): void
  onInvited(): void
}

export function Invite(props: InviteProps) {
  const [chosen, setWay] = useState<'mail' | 'link' | null>(null)
  const [{ data }] = useQuery({ query: SignInOptionsDocument })
  const way = chosen ?? (data?.signInOptions.mail === false ? 'link' : 'mail')
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={memberWords.how}
        value={way}
        onChange={setWay}
        data={[
          { value: 'mail', label: memberWords.byMail },
          { value: 'link', label: memberWords.byLink },
        ]}
      />
      {way === 'mail' && data?.signInOptions.mail === false && (
        <Text size="sm" c="dimmed">
          {peopleWords.noMail}
        </Text>
      )}
      {way === 'mail' ? <ByMail {...props} /> : <ByLink {...props} />}
    </Stack>
  )
}

const initialRole = 'MEMBER' satisfies InvitedRole as InvitedRole

function ByMail({ own, onClose, onInvited }: InviteProps) {
  const write = useWriteForm({
    document: InviteMemberDocument,
    draft: 'invite',
    initialValues: { email: '', role: initialRole },
    validate: { email: value => (/^[^\s@]+@\S+$/.test(value) ? null : memberWords.emailNeeded) },
    toVariables: values => ({ input: values }),
    onWritten: ({ inviteMember }) => {
      announce(memberWords.isInvited(inviteMember.email))
      onInvited()
      onClose()
    },
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={memberWords.send} onCancel={onClose}>
      <TextInput label={memberWords.email} type="email" data-autofocus {...form.getInputProps('email')} />
      <Radio.Group label={memberWords.role} {...form.getInputProps('role')}>
        <RoleChoices own={own} />
      </Radio.Group>
    </WriteFormView>
  )
}

function ByLink({ own, onClose, onInvited }: InviteProps) {
  const [address, setAddress] = useState<string | null>(null)
  const write = useWriteForm({
    document: InviteByLinkDocument,
    initialValues: { role: initialRole },
    toVariables: values => ({ input: values }),
    onWritten: ({ inviteToOrganization }) => {
      setAddress(inviteToOrganization.address ?? null)
      onInvited()
    },
  })
  if (address !== null)
    return (
      <Stack gap="sm">
        <Text size="sm">{memberWords.passOn}</Text>
        <Secret text={address} label={memberWords.link} />
        <Button variant="default" style={{ alignSelf: 'start' }} onClick={onClose}>
          {memberWords.done}
        </Button>
      </Stack>
    )
  return (
    <WriteFormView write={write} verb={memberWords.makeLink} onCancel={onClose}>
      <Radio.Group label={memberWords.role} {...write.form.getInputProps('role')}>
        <RoleChoices own={own} />
      </Radio.Group>
    </WriteFormView>
  )
}

const RoleChoices = ({ own }: { own: OrganizationRole }) => (
  <Stack gap="sm" mt={6}>
    {rolesToGive(own).map(({ value, label, description }) => (
      <Radio key={value} value={value} label={label} description={description} />
    ))}
  </Stack>
)
