// The page behind a link to choose a new password.

import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { linkTo } from '../address/go.ts'
import type { PageProps } from '../app/pages.ts'
import { forgetCaller } from '../session/caller.ts'
import { Gate } from '../session/gate.tsx'
import { resetPassword, SignInRefused } from '../session/sign-in.ts'
import { newPasswordProblem } from './input.ts'
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
      <Gate title="Your password is changed" sentence="You are signed out everywhere. Sign in with the new one.">
        <Button component="a" {...linkTo('/sign-in')} size="sm">
          Sign in
        </Button>
      </Gate>
    )
  if (!token || searchParams.has('error') || problem?.code === 'INVALID_TOKEN')
    return (
      <Gate title="Choose a new password">
        <SignInProblem problem={usedUp} />
        <Button component="a" {...linkTo('/sign-in?mode=reset')} size="sm">
          Ask for another link
        </Button>
      </Gate>
    )
  return (
    <Gate title="Choose a new password" sentence="It signs you out everywhere else.">
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          <PasswordInput
            label="New password"
            description="At least 10 characters"
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            {...field('password')}
          />
          {problem && <SignInProblem problem={problem} />}
          <Button type="submit" size="sm" fullWidth loading={isRunning}>
            Change password
          </Button>
        </Stack>
      </form>
    </Gate>
  )
}
