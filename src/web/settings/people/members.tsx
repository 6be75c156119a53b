// The members with their roles, and actions: change a role, remove a member, hand the organization over.

import { ActionIcon, Avatar, Badge, Button, Menu } from '@mantine/core'
import { IconCheck, IconDots, IconKey, IconUserMinus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import {
  ChangeMemberRoleDocument,
  MembersDocument,
  PayForOrganizationDocument,
  RemoveMemberDocument,
  TransferOwnershipDocument,
  WithdrawOwnershipDocument,
} from '../../generated/documents/settings.ts'
import type { MemberRowFragment } from '../../generated/operations.ts'
import type { InvitedRole, OrganizationRole } from '../../generated/schema.ts'
import { announce } from '../../keyboard/announce.tsx'
import { initialsOf } from '../../language/characters.ts'
import { peopleWords } from '../../language/en/people.ts'
import { memberWords } from '../../language/en/settings/members.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { confirm } from '../../pieces/confirm.ts'
import { exact } from '../../pieces/time.tsx'
import { useMe } from '../../session/use-me.ts'
import { Row, Rows, Section } from '../section.tsx'
import { rolesToGive } from './roles.ts'

const pageSize = 100

export function Members({ own }: { own: OrganizationRole }) {
  const { me, organization } = useMe()
  const isAway = useIsAway()
  const [first, setFirst] = useState(pageSize)
  const read = useRead(MembersDocument, { first })
  const { data, reread } = read
  const role = useMutationWithProblems(ChangeMemberRoleDocument)
  const removal = useMutationWithProblems(RemoveMemberDocument)
  const transfer = useMutationWithProblems(TransferOwnershipDocument)
  const withdrawal = useMutationWithProblems(WithdrawOwnershipDocument)
  const paying = useMutationWithProblems(PayForOrganizationDocument)
  const members = data?.organization.members?.nodes ?? []
  const payer = data?.organization.payer

  const change = (member: MemberRowFragment, next: InvitedRole) =>
    void role.run({ input: { userId: member.user?.id ?? '', role: next } }).then(({ failure: failed }) => {
      if (failed) return
      announce(next === 'OWNER' ? memberWords.asked(nameOf(member)) : memberWords.isNow(nameOf(member), peopleWords.role[next]))
      reread()
    })
  const remove = (member: MemberRowFragment) =>
    confirm({
      title: memberWords.removeQuestion(nameOf(member)),
      loses: memberWords.removeLoses(organization?.name ?? memberWords.theOrganization),
      verb: memberWords.removeMember,
      onConfirm: () => void removal.run({ input: { userId: member.user?.id ?? '' } }).then(reread),
    })
  const handOver = (member: MemberRowFragment) =>
    confirm({
      title: memberWords.handOverQuestion(nameOf(member)),
      loses: memberWords.handOverLoses,
      verb: memberWords.handOver,
      typed: organization?.name ?? '',
      onConfirm: () => void transfer.run({ input: { userId: member.user?.id ?? '' } }).then(reread),
    })
  const pay = () =>
    confirm({
      title: memberWords.payQuestion(organization?.name ?? memberWords.theOrganization),
      loses: memberWords.payLoses,
      verb: memberWords.payVerb,
      isDestructive: false,
      onConfirm: () => void paying.run({}).then(reread),
    })
  return (
    <Section
      read={read}
      height={114}
      failure={role.failure ?? removal.failure ?? transfer.failure ?? withdrawal.failure ?? paying.failure}
      title={memberWords.members}
      sentence={data && !payer ? memberWords.nobodyPays : memberWords.order}
      action={
        own === 'OWNER' &&
        data &&
        payer?.id !== me?.userId && (
          <Button variant="default" disabled={isAway} onClick={pay}>
            {memberWords.pay}
          </Button>
        )
      }
    >
      {members.length > 0 && (
        <Rows label={memberWords.members}>
          {members.map(member => {
            const isSelf = member.user?.id === me?.userId
            // Admins do not decide about owners.
            const mayDecide = !isSelf && member.user && (own === 'OWNER' || (own === 'ADMIN' && member.role !== 'OWNER'))
            return (
              <Row
                key={member.id}
                mark={
                  <Avatar size={32} color="gray" aria-hidden>
                    {initialsOf(nameOf(member))}
                  </Avatar>
                }
                name={
                  <>
                    {nameOf(member)}
                    {isSelf && (
                      <Badge variant="light" tt="none" fw={500}>
                        {memberWords.you}
                      </Badge>
                    )}
                  </>
                }
                facts={
                  <>
                    <span>{peopleWords.role[member.role]}</span>
                    {member.user?.name && member.user.email && <span>{member.user.email}</span>}
                    {member.user?.isEmailVerified === false && <span>{memberWords.notVerified}</span>}
                    {payer && payer.id === member.user?.id && <span>{memberWords.pays}</span>}
                    {member.ownershipOffer && <span>{memberWords.askedUntil(exact(member.ownershipOffer.expiresAt))}</span>}
                    <span>{memberWords.since(exact(member.since))}</span>
                  </>
                }
                actions={
                  mayDecide && (
                    <Menu position="bottom-end" width={220}>
                      <Menu.Target>
                        <ActionIcon aria-label={memberWords.moreFor(nameOf(member))} disabled={isAway}>
                          <IconDots />
                        </ActionIcon>
                      </Menu.Target>
                      <Menu.Dropdown>
                        <Menu.Label>{memberWords.role}</Menu.Label>
                        {rolesToGive(own).map(({ value, label }) => (
                          <Menu.Item
                            key={value}
                            disabled={value === member.role}
                            rightSection={value === member.role ? <IconCheck /> : undefined}
                            onClick={() => change(member, value)}
                          >
                            {label}
                          </Menu.Item>
                        ))}
                        <Menu.Divider />
                        {own === 'OWNER' && member.ownershipOffer && (
                          <Menu.Item
                            leftSection={<IconX />}
                            onClick={() => void withdrawal.run({ input: { id: member.ownershipOffer?.id ?? '' } }).then(reread)}
                          >
                            {memberWords.takeBackOffer}
                          </Menu.Item>
                        )}
                        {own === 'OWNER' && (
                          <Menu.Item leftSection={<IconKey />} onClick={() => handOver(member)}>
                            {memberWords.handOver}
                          </Menu.Item>
                        )}
                        <Menu.Item color="red" leftSection={<IconUserMinus />} onClick={() => remove(member)}>
                          {memberWords.remove}
                        </Menu.Item>
                      </Menu.Dropdown>
                    </Menu>
                  )
                }
              />
            )
          })}
        </Rows>
      )}
      {data?.organization.members?.pageInfo.hasNextPage && (
        <Button variant="default" onClick={() => setFirst(first + pageSize)}>
          {memberWords.showMore}
        </Button>
      )}
    </Section>
  )
}

const nameOf = ({ user }: MemberRowFragment) => user?.name ?? user?.email ?? memberWords.withoutAccount
