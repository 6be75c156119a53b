// Rules for addresses and passwords in the forms of accounts.

export const minPasswordLength = 10

export const emailProblem = (value: string): string | null =>
  /^[^\s@]+@\S+$/.test(value) ? null : 'Enter an email address, such as ada@example.com'

export const newPasswordProblem = (value: string): string | null =>
  value.length < minPasswordLength ? `Use at least ${minPasswordLength} characters` : null
