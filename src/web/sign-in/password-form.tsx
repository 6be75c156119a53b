// The form of an account with a password, to sign in or to sign up.

import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { signInWords as words } from '../language/en/account/sign-in.ts'
import { type SignInRefused, signInWithPassword, signUpWithPassword } from '../session/sign-in.ts'
import { emailProblem, minPasswordLength } from './input.ts'
import { refusalOf, SignInProblem } from './problem.tsx'
import { useFields } from './use-fields.ts'

interface PasswordFormProps {
  isSignUp: boolean
  /** The address that the verification link of a new account leads to. */
  callbackURL: string
  /** Whether a new account must verify its address before it works. */
  verifiesFirst: boolean
  onForgotten(): void
  /** Called when the new user has to open a mail before being signed in. */
  onMailed(email: string): void
}

export function PasswordForm({ isSignUp, callbackURL, verifiesFirst, onForgotten, onMailed }: PasswordFormProps) {
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  const [isRunning, setRunning] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  // Only when the page opens: somebody who chooses between the two forms by keys stays at the choice.
  useEffect(() => formElement.current?.querySelector('input')?.focus(), [])
  const submit = async (values: { name: string; email: string; password: string }) => {
    setRunning(true)
    setProblem(null)
    try {
      // The route redirects a signed-in person to `back`.
      if (!isSignUp) await signInWithPassword(values)
      else if (!(await signUpWithPassword({ ...values, callbackURL }))) onMailed(values.email)
    } catch (error) {
      setProblem(refusalOf(error))
      setRunning(false)
    }
  }
  const { field, onSubmit } = useFields(
    [
      ['name', value => (isSignUp && value.trim() === '' ? words.nameNeeded : null)],
      ['email', emailProblem],
      [
        'password',
        value => {
          if (value === '') return words.passwordNeeded
          return isSignUp && value.length < minPasswordLength ? words.tooShort(minPasswordLength) : null
        },
      ],
    ],
    value => void submit({ name: value('name'), email: value('email'), password: value('password') }),
  )
  return (
    <form ref={formElement} onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        {isSignUp && <TextInput label={words.name} autoComplete="name" {...field('name')} />}
        <TextInput label={words.email} type="email" autoComplete="username" {...field('email')} />
        <PasswordInput
          label={words.password}
          description={isSignUp ? words.atLeast(minPasswordLength) : undefined}
          autoComplete={isSignUp ? 'new-password' : 'current-password'}
          visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
          {...field('password')}
        />
        {problem && <SignInProblem problem={problem} />}
        {verifiesFirst && problem?.code === 'INVALID_EMAIL_OR_PASSWORD' && <Text size="sm">{words.verifyFirst}</Text>}
        <Button type="submit" size="sm" fullWidth loading={isRunning}>
          {isSignUp ? words.createAccount : words.signIn}
        </Button>
        {!isSignUp && (
          <Group>
            <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
              {words.forgotten}
            </Anchor>
          </Group>
        )}
      </Stack>
    </form>
  )
}
