// The one-time address of an invitation, or of the operator's claim: shows the offer, and joins.

import { Button, Group, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { go, linkTo } from '../../address/go.ts'
import type { PageProps } from '../../app/pages.ts'
import { ask } from '../../data/ask.ts'
import { type Failure, failureOfUnknown } from '../../data/failure.ts'
import { MeDocument } from '../../generated/documents/session.ts'
import { ClaimOrganizationDocument } from '../../generated/documents/sign-in.ts'
import { signInWords as words } from '../../language/en/account/sign-in.ts'
import { peopleWords } from '../../language/en/people.ts'
import { wordOf } from '../../language/values.ts'
import { FailureAlert } from '../../pieces/states/failure-alert.tsx'
import { LateSkeleton } from '../../pieces/states/late-skeleton.tsx'
import { chooseOrganization, useCaller } from '../../session/caller.ts'
import { Gate } from '../../session/gate.tsx'
import type { SignInRefused } from '../../session/sign-in.ts'
import { signOut } from '../../session/sign-out.ts'
import { Facts } from '../facts.tsx'
import { refusalOf, SignInProblem } from '../problem.tsx'
import { type OpenClaim, readClaim } from './accept.ts'
import { ClaimForm } from './form.tsx'

export function ClaimScreen({ address: { pathname } }: PageProps) {
  const token = pathname.split('/')[2] ?? ''
  const caller = useCaller()
  const [claim, setClaim] = useState<OpenClaim | null>(null)
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  useEffect(() => {
    readClaim(token).then(setClaim, (error: unknown) => setProblem(refusalOf(error)))
  }, [token])
  if (problem)
    return (
      <Gate title={words.nothingToJoin}>
        <SignInProblem problem={problem} />
        <Button component="a" {...linkTo('/sign-in')} size="sm">
          {words.signIn}
        </Button>
      </Gate>
    )
  if (!claim) return <Gate title={words.reading}>{<LateSkeleton height={36} />}</Gate>
  const onJoined = () => go('/home', { replace: true })
  return (
    <Gate title={words.joinTitle(claim.organizationName)} sentence={words.become(wordOf(peopleWords.role, claim.role.toUpperCase()))}>
      {caller.kind === 'user' ? (
        <JoinAsCaller token={token} onJoined={onJoined} />
      ) : (
        <ClaimForm token={token} email={claim.email} onJoined={onJoined} />
      )}
    </Gate>
  )
}

function JoinAsCaller({ token, onJoined }: { token: string; onJoined(): void }) {
  const [email, setEmail] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isRunning, setRunning] = useState(false)
  useEffect(() => {
    ask(MeDocument, {}).then(
      ({ me }) => setEmail(me.email ?? me.name ?? me.userId),
      (error: unknown) => setFailure(failureOfUnknown(error)),
    )
  }, [])
  const join = async () => {
    setRunning(true)
    setFailure(null)
    try {
      const { claimOrganization } = await ask(ClaimOrganizationDocument, { input: { token } })
      chooseOrganization(claimOrganization.id)
      onJoined()
    } catch (error) {
      setFailure(failureOfUnknown(error))
      setRunning(false)
    }
  }
  return (
    <Stack gap="md">
      <Facts facts={[[words.signedInAs, email ?? '...']]} />
      {failure && <FailureAlert failure={failure} />}
      <Group gap="xs">
        <Button size="sm" loading={isRunning} onClick={join}>
          {words.join}
        </Button>
        <Button size="sm" variant="default" onClick={() => void signOut()}>
          {words.otherAccount}
        </Button>
      </Group>
    </Stack>
  )
}
