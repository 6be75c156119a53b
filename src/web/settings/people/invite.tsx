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
        aria-label="How to invite"
        value={way}
        onChange={setWay}
        data={[
          { value: 'mail', label: 'By mail' },
          { value: 'link', label: 'By a link' },
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
    validate: { email: value => (/^[^\s@]+@\S+$/.test(value) ? null : 'Enter an email address, such as ada@example.com') },
    toVariables: values => ({ input: values }),
    onWritten: ({ inviteMember }) => {
      announce(`${inviteMember.email} is invited`)
      onInvited()
      onClose()
    },
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb="Send invitation" onCancel={onClose}>
      <TextInput label="Email" type="email" data-autofocus {...form.getInputProps('email')} />
      <Radio.Group label="Role" {...form.getInputProps('role')}>
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
        <Text size="sm">Pass this link on. It works once, for the first person who opens it, and is not shown again.</Text>
        <Secret text={address} label="link" />
        <Button variant="default" style={{ alignSelf: 'start' }} onClick={onClose}>
          Done
        </Button>
      </Stack>
    )
  return (
    <WriteFormView write={write} verb="Make link" onCancel={onClose}>
      <Radio.Group label="Role" {...write.form.getInputProps('role')}>
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
