// Accepts an invitation with a new account or an existing one.

import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { linkTo } from '../../address/go.ts'
import type { SignInRefused } from '../../session/sign-in.ts'
import { emailProblem, newPasswordProblem } from '../input.ts'
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
      ['name', value => (isNew && value.trim() === '' ? 'Enter your name' : null)],
      ['email', emailProblem],
      ['password', value => (isNew ? newPasswordProblem(value) : value === '' ? 'Enter your password' : null)],
    ],
    value => void submit({ name: value('name'), email: value('email'), password: value('password') }),
  )
  return (
    <Stack gap="lg">
      <TwoWays<typeof action>
        label="A new account, or one that exists"
        value={action}
        onChange={setAction}
        ways={[
          ['sign_up', 'New account'],
          ['sign_in', 'I have an account'],
        ]}
      />
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          {isNew && <TextInput label="Name" autoComplete="name" maxLength={200} {...field('name')} />}
          <TextInput
            label="Email"
            description={email ? 'The invitation is for this address.' : undefined}
            type="email"
            autoComplete="username"
            readOnly={email !== null}
            defaultValue={email ?? ''}
            {...field('email')}
          />
          <PasswordInput
            label="Password"
            description={isNew ? 'At least 10 characters' : undefined}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            {...field('password')}
          />
          {mailedTo !== null && !isNew && (
            <Alert color="green" variant="light" icon={<IconMailCheck />} role="status">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                A mail is on its way to {mailedTo}. Open the link in it, then sign in here. Is there an account with this address already?
                Then the mail says so.
              </Text>
            </Alert>
          )}
          {problem && <SignInProblem problem={problem} />}
          <Button type="submit" size="sm" fullWidth loading={isRunning}>
            {isNew ? 'Create account and join' : 'Sign in and join'}
          </Button>
        </Stack>
      </form>
      <Button component="a" {...linkTo(`/sign-in?${new URLSearchParams({ back: `/claim/${token}` })}`)} variant="subtle" color="gray">
        Sign in another way, then join
      </Button>
    </Stack>
  )
}
