// Where a link in a mail, and Google, lead to: the identity cookie becomes a session, then it goes on.

import { Button, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { go, linkTo, ownAddress } from '../address/go.ts'
import type { PageProps } from '../app/pages.ts'
import { Late } from '../pieces/late-skeleton.tsx'
import { Gate } from '../session/gate.tsx'
import { openSession, SignInRefused } from '../session/sign-in.ts'
import { refusalOf, SignInProblem } from './problem.tsx'

// Effects run twice in development, and the session is one.
let opening: Promise<void> | null = null

export function FinishScreen({ address: { searchParams } }: PageProps) {
  const back = searchParams.get('back') ?? '/home'
  const error = searchParams.get('error')
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  useEffect(() => {
    if (error) return setProblem(new SignInRefused('The link did not sign you in. Ask for another one.', error, null))
    opening ??= openSession()
    opening.then(
      () => go(ownAddress(back), { replace: true }),
      (thrown: unknown) => {
        opening = null
        setProblem(refusalOf(thrown))
      },
    )
  }, [back, error])
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
