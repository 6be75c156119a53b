// The page behind a link to choose a new password.

import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { linkTo } from '../address/go.ts'
import type { PageProps } from '../app/pages.ts'
import { signInWords as words } from '../language/en/account/sign-in.ts'
import { forgetCaller } from '../session/caller.ts'
import { Gate } from '../session/gate.tsx'
import { resetPassword, SignInRefused } from '../session/sign-in.ts'
import { minPasswordLength, newPasswordProblem } from './input.ts'
import { refusalOf, SignInProblem } from './problem.tsx'
import { useFields } from './use-fields.ts'

const usedUp = new SignInRefused('', 'INVALID_TOKEN', null)

export function ResetPasswordScreen({ address: { searchParams } }: PageProps) {
  const token = searchParams.get('token')
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [isDone, setDone] = useState(false)
  const submit = async (password: string) => {
    setRunning(true)
    setProblem(null)
    try {
      await resetPassword({ newPassword: password, token: token ?? '' })
      // The new password has ended all sessions, this browser's too.
      forgetCaller()
      setDone(true)
    } catch (thrown) {
      setProblem(refusalOf(thrown))
    }
    setRunning(false)
  }
  const { field, onSubmit } = useFields([['password', newPasswordProblem]], value => void submit(value('password')))
  if (isDone)
    return (
      <Gate title={words.changed} sentence={words.changedSentence}>
        <Button component="a" {...linkTo('/sign-in')} size="sm">
          {words.signIn}
        </Button>
      </Gate>
    )
  if (!token || searchParams.has('error') || problem?.code === 'INVALID_TOKEN')
    return (
      <Gate title={words.titles.reset}>
        <SignInProblem problem={usedUp} />
        <Button component="a" {...linkTo('/sign-in?mode=reset')} size="sm">
          {words.anotherLink}
        </Button>
      </Gate>
    )
  return (
    <Gate title={words.titles.reset} sentence={words.resetSentence}>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          <PasswordInput
            label={words.newPassword}
            description={words.atLeast(minPasswordLength)}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
            {...field('password')}
          />
          {problem && <SignInProblem problem={problem} />}
          <Button type="submit" size="sm" fullWidth loading={isRunning}>
            {words.changePassword}
          </Button>
        </Stack>
      </form>
    </Gate>
  )
}
