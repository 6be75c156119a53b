// Open invitations, to send again or take back. New ones go out by mail, or as a link.

import { Badge, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { Panel } from '../../frame/panel.tsx'
import { usePanelAddress } from '../../frame/use-panel-address.ts'
import { InvitationsDocument, ResendInvitationDocument, RevokeInvitationDocument } from '../../generated/documents/settings.ts'
import type { InvitationRowFragment } from '../../generated/operations.ts'
import type { OrganizationRole } from '../../generated/schema.ts'
import { announce } from '../../keyboard/announce.tsx'
import { peopleWords } from '../../language/en/people.ts'
import { memberWords } from '../../language/en/settings/members.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { confirm } from '../../pieces/confirm.ts'
import { exact, Time } from '../../pieces/time.tsx'
import { membersRoute } from '../route.tsx'
import { Row, Rows, Section } from '../section.tsx'
import { Invite } from './invite.tsx'

export function Invitations({ own }: { own: OrganizationRole }) {
  const isAway = useIsAway()
  const navigate = useNavigate({ from: membersRoute.fullPath })
  const { invite: isInviting = false } = membersRoute.useSearch()
  const panel = usePanelAddress(isInviting, () => void navigate({ search: {}, replace: true }))
  const read = useRead(InvitationsDocument, {})
  const { data, reread } = read
  const resend = useMutationWithProblems(ResendInvitationDocument)
  const revocation = useMutationWithProblems(RevokeInvitationDocument)
  const open = data?.invitations.filter(({ usedAt, revokedAt }) => !usedAt && !revokedAt) ?? []
  const sendAgain = async ({ id, email }: InvitationRowFragment) => {
    const { failure: failed } = await resend.run({ input: { id } })
    if (failed) return
    announce(memberWords.sentAgain(email ?? ''))
    reread()
  }
  const revoke = (invitation: InvitationRowFragment) =>
    confirm({
      title: memberWords.takeBackQuestion(whom(invitation)),
      loses: memberWords.linkEnds,
      verb: memberWords.takeBack,
      onConfirm: () => void revocation.run({ input: { id: invitation.id } }).then(reread),
    })
  return (
    <Section
      read={read}
      height={57}
      failure={resend.failure ?? revocation.failure}
      title={memberWords.invitations}
      sentence={memberWords.invitationsSentence}
      action={
        <Button leftSection={<IconPlus />} disabled={isAway} onClick={() => void navigate({ search: { invite: true }, ...panel.opening })}>
          {memberWords.invite}
        </Button>
      }
    >
      {data && open.length === 0 && (
        <Text size="sm" c="dimmed">
          {memberWords.nobodyInvited}
        </Text>
      )}
      {open.length > 0 && (
        <Rows label={memberWords.invitations}>
          {open.map(invitation => (
            <Row
              key={invitation.id}
              name={
                <>
                  {titleOf(invitation)}
                  {Date.parse(invitation.expiresAt) < Date.now() && (
                    <Badge variant="light" color="gray" tt="none" fw={500}>
                      {memberWords.expired}
                    </Badge>
                  )}
                </>
              }
              facts={
                <>
                  <span>{peopleWords.role[invitation.role]}</span>
                  <span>
                    {(invitation.sentAt ? memberWords.sent : memberWords.made)(<Time at={invitation.sentAt ?? invitation.createdAt} />)}
                  </span>
                  <span>{memberWords.until(exact(invitation.expiresAt))}</span>
                </>
              }
              actions={
                <Group gap="xs" wrap="nowrap">
                  {invitation.email && (
                    <Button
                      variant="default"
                      disabled={isAway || resend.isRunning}
                      aria-label={memberWords.sendAgain(invitation.email)}
                      onClick={() => void sendAgain(invitation)}
                    >
                      {memberWords.resend}
                    </Button>
                  )}
                  <Button
                    variant="default"
                    disabled={isAway}
                    aria-label={memberWords.takeBackOf(whom(invitation))}
                    onClick={() => revoke(invitation)}
                  >
                    {memberWords.revoke}
                  </Button>
                </Group>
              }
            />
          ))}
        </Rows>
      )}
      <Panel isOpen={isInviting} isInAddress onClose={panel.close} title={memberWords.inviteSomebody} isForm>
        <Invite own={own} onClose={panel.close} onInvited={reread} />
      </Panel>
    </Section>
  )
}

const whom = ({ email }: InvitationRowFragment) => email ?? memberWords.anybody
const titleOf = ({ email }: InvitationRowFragment) => email ?? memberWords.anybodyTitle
