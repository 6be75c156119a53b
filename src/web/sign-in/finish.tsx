// Where a link in a mail, and Google, lead to: the identity cookie becomes a session, then it goes on.

import { Loader } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Late } from '../pieces/late-skeleton.tsx'
import { ButtonLink } from '../pieces/links.tsx'
import { Gate } from '../session/gate.tsx'
import { ownAddress } from '../session/require-caller.ts'
import { openSession, SignInRefused } from '../session/sign-in.ts'
import { refusalOf, SignInProblem } from './problem.tsx'
import { finishRoute } from './route.tsx'

// Effects run twice in development, and the session is one.
let opening: Promise<void> | null = null

export function FinishScreen() {
  const { back, error } = finishRoute.useSearch()
  const router = useRouter()
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  useEffect(() => {
    if (error) return setProblem(new SignInRefused('The link did not sign you in. Ask for another one.', error, null))
    opening ??= openSession()
    opening.then(
      () => router.history.replace(ownAddress(back ?? '/home')),
      (thrown: unknown) => {
        opening = null
        setProblem(refusalOf(thrown))
      },
    )
  }, [back, error, router])
  if (!problem) return <Gate title="Signing in">{<Late>{<Loader size="sm" />}</Late>}</Gate>
  return (
    <Gate title="You are not signed in">
      <SignInProblem problem={problem} />
      <ButtonLink to="/sign-in" search={{ back, mode: 'link' }} size="sm">
        Ask for another link
      </ButtonLink>
      <ButtonLink to="/sign-in" search={{ back }} size="sm" variant="default">
        Sign in another way
      </ButtonLink>
    </Gate>
  )
}
