// Shown after a sign-up whose address has to be verified. The text is the same when an account has this address: its owner receives another
// mail.

import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { announce } from '../keyboard/announce.tsx'
import { Gate } from '../session/gate.tsx'
import { type SignInRefused, sendVerification } from '../session/sign-in.ts'
import { refusalOf, SignInProblem } from './problem.tsx'

interface CheckMailProps {
  email: string
  /** The address that the link leads to. */
  callbackURL: string
  onBack(): void
}

export default function CheckMail({ email, callbackURL, onBack }: CheckMailProps) {
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [isSentAgain, setSentAgain] = useState(false)
  const sendAgain = async () => {
    setRunning(true)
    setProblem(null)
    try {
      await sendVerification({ email, callbackURL })
      setSentAgain(true)
      announce('The mail is on its way')
    } catch (error) {
      setProblem(refusalOf(error))
    }
    setRunning(false)
  }
  return (
    <Gate title="Check your mail">
      <Stack gap="md" role="status">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          A mail is on its way to <b>{email}</b>. Open the link in it within a day, in this browser: it signs you in.
        </Text>
        <Text size="sm" c="dimmed">
          Is there an account with this address already? Then the mail says so.
        </Text>
      </Stack>
      {problem && <SignInProblem problem={problem} />}
      {isSentAgain ? (
        <Text size="sm" role="status">
          Another link is on its way, unless there is an account already. Look in the spam folder, too.
        </Text>
      ) : (
        <Button size="sm" variant="default" leftSection={<IconMailCheck />} loading={isRunning} onClick={sendAgain}>
          Send the mail again
        </Button>
      )}
      <Anchor component="button" type="button" size="sm" style={{ alignSelf: 'start' }} onClick={onBack}>
        Back to signing in
      </Anchor>
    </Gate>
  )
}
