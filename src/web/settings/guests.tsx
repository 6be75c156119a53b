// Where a guest would see what only an account has.

import { Empty } from '../pieces/empty.tsx'
import { ButtonLink } from '../pieces/links.tsx'
import { forgetCaller } from '../session/caller.ts'

export const ForAccounts = ({ what }: { what: string }) => (
  <Empty
    sentence={`${what} belong to an account. You look around as a guest.`}
    action={
      <ButtonLink to="/sign-in" search={{ mode: 'sign-up' }} onClick={forgetCaller}>
        Sign up
      </ButtonLink>
    }
  />
)
