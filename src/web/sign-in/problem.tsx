// A refusal of the sign-in with advice, in this page's words when the code is known.

import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { signInWords as words } from '../language/en/account/sign-in.ts'
import { SignInRefused } from '../session/sign-in.ts'

export function SignInProblem({ problem }: { problem: SignInRefused }) {
  const wait = problem.retryAfter === null ? '' : words.again(problem.retryAfter)
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle />}>
      {(words.problems as Readonly<Record<string, string>>)[problem.code] ?? problem.message}
      {wait}
    </Alert>
  )
}

/** The refusal in a thrown value. Any other value means that the server did not answer. */
export const refusalOf = (thrown: unknown): SignInRefused =>
  thrown instanceof SignInRefused ? thrown : new SignInRefused(words.noAnswer, 'OFFLINE', null)
