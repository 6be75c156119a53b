// The page behind a link in a mail, and behind Google: opens a session from the identity cookie, and goes on. It asks before it replaces another
// user's session, because another person may have sent the link.

import { Button, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { go, linkTo, ownAddress } from '../address/go.ts'
import type { PageProps } from '../app/pages.ts'
import { signInWords as words } from '../language/en/account/sign-in.ts'
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
    if (error) return setProblem(new SignInRefused(words.noLink, error, null))
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
      <Gate title={words.signInAsQuestion(other.email ?? words.somebodyElse)} sentence={words.otherSentence}>
        <Button size="sm" onClick={() => replace(other)}>
          {words.signInAs(other.email ?? words.somebodyElse)}
        </Button>
        <Button component="a" {...linkTo('/home')} size="sm" variant="default">
          {words.stay}
        </Button>
      </Gate>
    )
  if (!problem) return <Gate title={words.signingIn}>{<Late>{<Loader size="sm" />}</Late>}</Gate>
  const signIn = `/sign-in?${new URLSearchParams({ back })}`
  return (
    <Gate title={words.notSignedIn}>
      <SignInProblem problem={problem} />
      <Button component="a" {...linkTo(`${signIn}&mode=link`)} size="sm">
        {words.anotherLink}
      </Button>
      <Button component="a" {...linkTo(signIn)} size="sm" variant="default">
        {words.anotherWay}
      </Button>
    </Gate>
  )
}
