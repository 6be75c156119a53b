// The one-use address of an invitation, or of the operator's claim: says what it offers, and joins.

import { Button, Group, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { type Failure, failureOfUnknown } from '../../data/failure.ts'
import { MeDocument } from '../../generated/documents/session.ts'
import { ClaimOrganizationDocument } from '../../generated/documents/sign-in.ts'
import { ErrorNotice } from '../../pieces/error-notice.tsx'
import { LateSkeleton } from '../../pieces/late-skeleton.tsx'
import { ButtonLink } from '../../pieces/links.tsx'
import { chooseOrganization, useCaller } from '../../session/caller.ts'
import { type OpenClaim, readClaim } from '../../session/claim.ts'
import { Gate } from '../../session/gate.tsx'
import type { SignInRefused } from '../../session/sign-in.ts'
import { signOut } from '../../session/sign-out.ts'
import { Facts } from '../facts.tsx'
import { refusalOf, SignInProblem } from '../problem.tsx'
import { claimRoute } from '../route.tsx'
import { ClaimForm } from './form.tsx'

export function ClaimScreen() {
  const { token } = claimRoute.useParams()
  const caller = useCaller()
  const navigate = useNavigate()
  const [claim, setClaim] = useState<OpenClaim | null>(null)
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  useEffect(() => {
    readClaim(token).then(setClaim, (error: unknown) => setProblem(refusalOf(error)))
  }, [token])
  if (problem)
    return (
      <Gate title="There is nothing to join here">
        <SignInProblem problem={problem} />
        <ButtonLink to="/sign-in" size="sm">
          Sign in
        </ButtonLink>
      </Gate>
    )
  if (!claim) return <Gate title="Reading the invitation">{<LateSkeleton height={36} />}</Gate>
  const onJoined = () => void navigate({ to: '/home', replace: true })
  const article = /^[ao]/.test(claim.role) ? 'an' : 'a'
  return (
    <Gate title={`Join ${claim.organizationName}`} sentence={`You become ${article} ${claim.role} of it. This address works once.`}>
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
      <Facts facts={[['Signed in as', email ?? '...']]} />
      {failure && <ErrorNotice failure={failure} />}
      <Group gap="xs">
        <Button size="sm" loading={isRunning} onClick={join}>
          Join
        </Button>
        <Button size="sm" variant="default" onClick={() => void signOut()}>
          Use another account
        </Button>
      </Group>
    </Stack>
  )
}
