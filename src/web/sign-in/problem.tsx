// A refusal of the sign-in with advice, in this page's words when the code is known.

import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { SignInRefused } from '../session/sign-in.ts'

const sentences: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The email address or the password is wrong.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'There is an account with this address. Sign in instead.',
  INVALID_TOKEN: 'This link was used already, or is too old. Ask for another one.',
  TOKEN_EXPIRED: 'This link is too old. Ask for another one.',
  EXPIRED_TOKEN: 'This link is too old. Ask for another one.',
  ATTEMPTS_EXCEEDED: 'This link was used already. Ask for another one.',
}

export function SignInProblem({ problem }: { problem: SignInRefused }) {
  const wait = problem.retryAfter === null ? '' : ` Try again in ${problem.retryAfter} s.`
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle />}>
      {sentences[problem.code] ?? problem.message}
      {wait}
    </Alert>
  )
}

/** The refusal in a thrown value. Any other value means that the server did not answer. */
export const refusalOf = (thrown: unknown): SignInRefused =>
  thrown instanceof SignInRefused ? thrown : new SignInRefused('The server did not answer. Try again.', 'OFFLINE', null)
