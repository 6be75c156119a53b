// Asks for a mail with a link to sign in or to choose a new password. It never tells whether an account exists.

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { announce } from '../keyboard/announce.tsx'
import { signInWords as words } from '../language/en/account/sign-in.ts'
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
      announce(words.mailComes)
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
          label={words.email}
          description={kind === 'reset' ? words.resetHelp : words.linkHelp}
          type="email"
          autoComplete="username"
          data-autofocus
          {...field('email')}
        />
        {problem && <SignInProblem problem={problem} />}
        <Button type="submit" size="sm" fullWidth loading={isRunning}>
          {words.sendLink}
        </Button>
      </Stack>
    </form>
  )
}

function Sent({ kind, to, hasMail }: { kind: MailFormProps['kind']; to: string; hasMail: boolean }) {
  return (
    <Alert color="green" variant="light" icon={<IconMailCheck />} role="status">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {kind === 'reset' ? `${words.ifAccount(to)} ${words.worksAnHour}` : `${words.linkComes(to)} ${words.worksMinutes}`}
      </Text>
      {!hasMail && (
        <Text size="sm" mt={4}>
          {words.inLog}
        </Text>
      )}
    </Alert>
  )
}
