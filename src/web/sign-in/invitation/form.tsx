// Accepts an invitation with a new account or an existing one.

import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { linkTo } from '../../address/go.ts'
import { signInWords as words } from '../../language/en/account/sign-in.ts'
import type { SignInRefused } from '../../session/sign-in.ts'
import { emailProblem, minPasswordLength, newPasswordProblem } from '../input.ts'
import { refusalOf, SignInProblem } from '../problem.tsx'
import { TwoWays } from '../two-ways.tsx'
import { useFields } from '../use-fields.ts'
import { acceptClaim } from './accept.ts'

interface ClaimFormProps {
  token: string
  /** The invited address; null when any address may join. */
  email: string | null
  onJoined(): void
}

export function ClaimForm({ token, email, onJoined }: ClaimFormProps) {
  const [action, setAction] = useState<'sign_up' | 'sign_in'>('sign_up')
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  const [isRunning, setRunning] = useState(false)
  const isNew = action === 'sign_up'
  const formElement = useRef<HTMLFormElement>(null)
  // Only when the page opens: somebody who chooses between the two ways by keys stays at the choice.
  useEffect(() => formElement.current?.querySelector('input')?.focus(), [])
  const submit = async ({ name, ...account }: { name: string; email: string; password: string }) => {
    setRunning(true)
    setProblem(null)
    try {
      if (await acceptClaim(token, { action, ...account, ...(isNew && { name }) })) return onJoined()
      setMailedTo(account.email)
      setAction('sign_in')
      setRunning(false)
    } catch (error) {
      setProblem(refusalOf(error))
      setRunning(false)
    }
  }
  const { field, onSubmit } = useFields(
    [
      ['name', value => (isNew && value.trim() === '' ? words.nameNeeded : null)],
      ['email', emailProblem],
      ['password', value => (isNew ? newPasswordProblem(value) : value === '' ? words.yourPasswordNeeded : null)],
    ],
    value => void submit({ name: value('name'), email: value('email'), password: value('password') }),
  )
  return (
    <Stack gap="lg">
      <TwoWays<typeof action>
        label={words.newOrOld}
        value={action}
        onChange={setAction}
        ways={[
          ['sign_up', words.newAccount],
          ['sign_in', words.haveAccount],
        ]}
      />
      <form ref={formElement} onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          {isNew && <TextInput label={words.name} autoComplete="name" maxLength={200} {...field('name')} />}
          <TextInput
            label={words.email}
            description={email ? words.forAddress : undefined}
            type="email"
            autoComplete="username"
            readOnly={email !== null}
            defaultValue={email ?? ''}
            {...field('email')}
          />
          <PasswordInput
            label={words.password}
            description={isNew ? words.atLeast(minPasswordLength) : undefined}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
            {...field('password')}
          />
          {mailedTo !== null && !isNew && (
            <Alert color="green" variant="light" icon={<IconMailCheck />} role="status">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {words.openThenJoin(mailedTo)}
              </Text>
            </Alert>
          )}
          {problem && <SignInProblem problem={problem} />}
          <Button type="submit" size="sm" fullWidth loading={isRunning}>
            {isNew ? words.createAndJoin : words.signInAndJoin}
          </Button>
        </Stack>
      </form>
      <Button component="a" {...linkTo(`/sign-in?${new URLSearchParams({ back: `/claim/${token}` })}`)} variant="subtle" color="gray">
        {words.joinAnotherWay}
      </Button>
    </Stack>
  )
}
