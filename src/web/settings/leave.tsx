// Leaving the organization. Its last owner cannot: the server is asked before, and the page says why.

import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { failureOf } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { LeaveOrganizationDocument, TryToLeaveOrganizationDocument } from '../generated/documents/settings.ts'
import { organizationWords as words } from '../language/en/settings/organization.ts'
import { useIsAway } from '../live/connectivity.ts'
import { confirm } from '../pieces/confirm.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { chooseOrganization } from '../session/caller.ts'
import { Section } from './section.tsx'

interface LeaveProps {
  organization: { id: string; name: string; role: string }
}

export function Leave({ organization: { id, name, role } }: LeaveProps) {
  const isAway = useIsAway()
  const leaving = useMutationWithProblems(LeaveOrganizationDocument)
  const isLastOwner = useIsLastOwner(id, role === 'OWNER')
  const leave = () =>
    confirm({
      title: words.leaveQuestion(name),
      loses: words.leaveLoses,
      verb: words.leaveVerb,
      typed: name,
      onConfirm: () => void leaving.run({ input: { id } }).then(({ failure }) => failure ?? chooseOrganization(null)),
    })
  const reason = isLastOwner && (
    <>
      {words.lastOwner}{' '}
      <AnchorLink to="/settings/members" inherit underline="always">
        {words.toMembers}
      </AnchorLink>
    </>
  )
  return (
    <Section title={words.leave} sentence={reason} failure={leaving.failure}>
      <Group>
        {/* Off until it is known: nobody types the name of the organization only to read a refusal. */}
        <Button variant="default" c={isLastOwner === false ? 'red' : undefined} disabled={isAway || isLastOwner !== false} onClick={leave}>
          {name.length > 40 ? words.leaveThis : words.leaveName(name)}
        </Button>
      </Group>
    </Section>
  )
}

/** Null until it is known. */
function useIsLastOwner(id: string, isOwner: boolean): boolean | null {
  const client = useClient()
  const [known, setKnown] = useState<boolean | null>(isOwner ? null : false)
  useEffect(() => {
    if (!isOwner) return setKnown(false)
    let isCurrent = true
    void client
      .mutation(TryToLeaveOrganizationDocument, { input: { id } })
      .toPromise()
      .then(({ error }) => isCurrent && setKnown(error !== undefined && failureOf(error).code === 'CONFLICT'))
    return () => {
      isCurrent = false
    }
  }, [client, id, isOwner])
  return known
}
