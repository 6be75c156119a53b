// The page behind a link in a mail, and behind Google: opens a session from the identity cookie, and goes on. It asks before it replaces another
// user's session, because another person may have sent the link.

import { Button, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { go, linkTo, ownAddress } from '../address/go.ts'
import type { PageProps } from '../app/pages.ts'
import { Late } from '../pieces/states/late-skeleton.tsx'
import { currentCaller } from '../session/caller.ts'
import { Gate } from '../session/gate.tsx'
import { type Identity, identityHere, openSession, SignInRefused } from '../session/sign-in.ts'
import { refusalOf, SignInProblem } from './problem.tsx'

// Effects run twice in development; the session is opened once.
let opening: Promise<Identity | null> | null = null

/** Opens the session. If another user is signed in, it opens nothing and resolves with the new identity. */
async function begin(): Promise<Identity | null> {
  const identity = await identityHere()
  const caller = currentCaller()
  if (caller.kind === 'user' && caller.userId !== identity.userId) return identity
  await openSession(identity)
  return null
}

export function FinishScreen({ address: { searchParams } }: PageProps) {
  const back = searchParams.get('back') ?? '/home'
  const error = searchParams.get('error')
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  const [other, setOther] = useState<Identity | null>(null)
  const goOn = () => go(ownAddress(back), { replace: true })
  const replace = (identity: Identity) =>
    void openSession(identity).then(goOn, (thrown: unknown) => {
      setOther(null)
      setProblem(refusalOf(thrown))
    })
  useEffect(() => {
    if (error) return setProblem(new SignInRefused('The link did not sign you in. Ask for another one.', error, null))
    opening ??= begin()
    opening.then(
      identity => (identity ? setOther(identity) : go(ownAddress(back), { replace: true })),
      (thrown: unknown) => {
        opening = null
        setProblem(refusalOf(thrown))
      },
    )
  }, [back, error])
  if (other)
    return (
      <Gate
        title={`Sign in as ${other.email ?? 'somebody else'}?`}
        sentence="Another account is signed in in this browser. Go on only if you asked for this yourself."
      >
        <Button size="sm" onClick={() => replace(other)}>
          Sign in as {other.email ?? 'somebody else'}
        </Button>
        <Button component="a" {...linkTo('/home')} size="sm" variant="default">
          Stay as you are
        </Button>
      </Gate>
    )
  if (!problem) return <Gate title="Signing in">{<Late>{<Loader size="sm" />}</Late>}</Gate>
  const signIn = `/sign-in?${new URLSearchParams({ back })}`
  return (
    <Gate title="You are not signed in">
      <SignInProblem problem={problem} />
      <Button component="a" {...linkTo(`${signIn}&mode=link`)} size="sm">
        Ask for another link
      </Button>
      <Button component="a" {...linkTo(signIn)} size="sm" variant="default">
        Sign in another way
      </Button>
    </Gate>
  )
}
