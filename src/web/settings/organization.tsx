// The organization: its name, and the person's other organizations, to switch to, leave or create.

import { Badge, Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Panel } from '../frame/panel.tsx'
import { AddOrganizationDocument, LeaveOrganizationDocument, RenameOrganizationDocument } from '../generated/documents/settings.ts'
import { announce } from '../keyboard/announce.tsx'
import { peopleWords } from '../language/en/people.ts'
import { useIsAway } from '../live/connectivity.ts'
import { confirm } from '../pieces/confirm.tsx'
import { CopyText } from '../pieces/copy-text.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { chooseOrganization } from '../session/caller.ts'
import { ForAccounts } from '../session/for-accounts.tsx'
import { useMe } from '../session/use-me.ts'
import { Row, Rows, Section } from './section.tsx'

export function OrganizationSettings() {
  const { me, organization, isGuest } = useMe()
  const isAway = useIsAway()
  const [isAdding, setAdding] = useState(false)
  const leaving = useMutationWithProblems(LeaveOrganizationDocument)
  if (isGuest) return <ForAccounts what="Organizations" />
  if (!organization) return null
  const mayRename = organization.role === 'OWNER' || organization.role === 'ADMIN'
  const leave = () =>
    confirm({
      title: `Leave ${organization.name}?`,
      loses: 'You lose access. The API keys and open invitations that you made there stop working. To return you need an invitation.',
      verb: 'Leave organization',
      typed: organization.name,
      onConfirm: () => void leaving.run({ input: { id: organization.id } }).then(({ failure }) => failure ?? chooseOrganization(null)),
    })
  return (
    <>
      <Section title="This organization">
        <Rename key={organization.id} name={organization.name} isOff={!mayRename} />
        <Group gap="xs">
          <CopyText text={organization.id} label="id of the organization" />
        </Group>
      </Section>
      <Section
        title="Your organizations"
        sentence="This browser works in one of them at a time."
        action={
          <Button variant="default" disabled={isAway} onClick={() => setAdding(true)}>
            New organization
          </Button>
        }
      >
        <Rows label="Your organizations">
          {me?.organizations.map(({ id, name, role }) => (
            <Row
              key={id}
              name={
                <>
                  {name}
                  {id === organization.id && (
                    <Badge variant="light" tt="none" fw={500}>
                      Chosen
                    </Badge>
                  )}
                </>
              }
              facts={peopleWords.role[role]}
              actions={
                id !== organization.id && (
                  <Button variant="default" aria-label={`Switch to ${name}`} onClick={() => chooseOrganization(id)}>
                    Switch
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      </Section>
      <Section title="Leave" sentence="Its last owner cannot leave: hand it over first, under Members.">
        {leaving.failure && <ErrorNotice failure={leaving.failure} />}
        <Group>
          <Button variant="default" c="red" disabled={isAway} onClick={leave}>
            Leave {organization.name.length > 40 ? 'the organization' : organization.name}
          </Button>
        </Group>
      </Section>
      <Panel isOpen={isAdding} onClose={() => setAdding(false)} title="New organization" isForm>
        <Add onClose={() => setAdding(false)} />
      </Panel>
    </>
  )
}

const nameProblem = (value: string) => (value.trim() === '' ? 'Enter a name' : null)

function Rename({ name, isOff }: { name: string; isOff: boolean }) {
  const write = useWriteForm({
    document: RenameOrganizationDocument,
    initialValues: { name },
    validate: { name: nameProblem },
    toVariables: values => ({ input: values }),
    onWritten: ({ renameOrganization }) => announce(`The name is now ${renameOrganization.name}`),
  })
  const input = (
    <TextInput
      label="Name"
      description={isOff ? 'Owners and admins can change it.' : undefined}
      readOnly={isOff}
      maxLength={200}
      {...write.form.getInputProps('name')}
    />
  )
  if (isOff) return input
  return (
    <WriteFormView write={write} verb="Save name">
      {input}
    </WriteFormView>
  )
}

function Add({ onClose }: { onClose(): void }) {
  const write = useWriteForm({
    document: AddOrganizationDocument,
    initialValues: { name: '' },
    validate: { name: nameProblem },
    toVariables: values => ({ input: values }),
    onWritten: ({ createOrganization }) => chooseOrganization(createOrganization.id),
  })
  return (
    <WriteFormView write={write} verb="Create organization" onCancel={onClose}>
      <TextInput label="Name" maxLength={200} data-autofocus {...write.form.getInputProps('name')} />
    </WriteFormView>
  )
}
