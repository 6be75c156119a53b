// Shown to guests in place of a page that only accounts have.

import { Button } from '@mantine/core'
import { linkTo } from '../address/go.ts'
import { Empty } from '../pieces/states/empty.tsx'
import { forgetCaller } from './caller.ts'

export const ForAccounts = ({ what }: { what: string }) => (
  <Empty
    sentence={`${what} belong to an account. You look around as a guest.`}
    action={
      <Button component="a" {...linkTo('/sign-in?mode=sign-up', forgetCaller)}>
        Sign up
      </Button>
    }
  />
)
