// Rules for addresses and passwords in the forms of accounts.

import { signInWords as words } from '../language/en/account/sign-in.ts'

export const minPasswordLength = 10

export const emailProblem = (value: string): string | null => (/^[^\s@]+@\S+$/.test(value) ? null : words.emailNeeded)

export const newPasswordProblem = (value: string): string | null =>
  value.length < minPasswordLength ? words.tooShort(minPasswordLength) : null
