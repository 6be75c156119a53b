// Asks for a mail with a link to sign in or to choose a new password. It never tells whether an account exists.

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { announce } from '../keyboard/announce.tsx'
import { requestPasswordReset, type SignInRefused, sendMagicLink } from '../session/sign-in.ts'
import { emailProblem } from './input.ts'
import { refusalOf, SignInProblem } from './problem.tsx'
import { useFields } from './use-fields.ts'

interface MailFormProps {
  kind: 'reset' | 'link'
  /** The address that the link leads to after signing in. */
  target: string
  /** A server without mail writes links to its log. */
  hasMail: boolean
}

export default function MailForm({ kind, target, hasMail }: MailFormProps) {
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const submit = async (email: string) => {
    setRunning(true)
    setProblem(null)
    try {
      if (kind === 'reset') await requestPasswordReset({ email, redirectTo: '/reset-password' })
      else await sendMagicLink({ email, callbackURL: `/sign-in/finish?back=${encodeURIComponent(target)}` })
      setSentTo(email)
      announce('The mail is on its way')
    } catch (error) {
      setProblem(refusalOf(error))
    }
    setRunning(false)
  }
  const { field, onSubmit } = useFields([['email', emailProblem]], value => void submit(value('email')))
  if (sentTo !== null) return <Sent kind={kind} to={sentTo} hasMail={hasMail} />
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Email"
          description={
            kind === 'reset' ? 'We send a link to choose a new password.' : 'We send a link that signs you in, without a password.'
          }
          type="email"
          autoComplete="username"
          data-autofocus
          {...field('email')}
        />
        {problem && <SignInProblem problem={problem} />}
        <Button type="submit" size="sm" fullWidth loading={isRunning}>
          Send the link
        </Button>
      </Stack>
    </form>
  )
}

function Sent({ kind, to, hasMail }: { kind: MailFormProps['kind']; to: string; hasMail: boolean }) {
  const validity = kind === 'reset' ? 'once, for an hour' : 'once, for five minutes'
  return (
    <Alert color="green" variant="light" icon={<IconMailCheck />} role="status">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {kind === 'reset' ? `If ${to} has an account, a link is on its way.` : `A link is on its way to ${to}.`} It works {validity}.
      </Text>
      {!hasMail && (
        <Text size="sm" mt={4}>
          This server sends no mail: the link is in its log.
        </Text>
      )}
    </Alert>
  )
}
