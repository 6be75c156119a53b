// Shown after a sign-up whose address has to be verified. The text is the same when an account has this address: its owner receives another
// mail.

import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { announce } from '../keyboard/announce.tsx'
import { signInWords as words } from '../language/en/account/sign-in.ts'
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
      announce(words.mailComes)
    } catch (error) {
      setProblem(refusalOf(error))
    }
    setRunning(false)
  }
  return (
    <Gate title={words.checkMail}>
      <Stack gap="md" role="status">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {words.openLink(<b>{email}</b>)}
        </Text>
        <Text size="sm" c="dimmed">
          {words.mailSaysSo}
        </Text>
      </Stack>
      {problem && <SignInProblem problem={problem} />}
      {isSentAgain ? (
        <Text size="sm" role="status">
          {words.sentAgain}
        </Text>
      ) : (
        <Button size="sm" variant="default" leftSection={<IconMailCheck />} loading={isRunning} onClick={sendAgain}>
          {words.sendAgain}
        </Button>
      )}
      <Anchor component="button" type="button" size="sm" style={{ alignSelf: 'start' }} onClick={onBack}>
        {words.back}
      </Anchor>
    </Gate>
  )
}
