// Tells a guest that this part of the app needs an account.

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
