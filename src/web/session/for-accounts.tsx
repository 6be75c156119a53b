// Tells a guest that this part of the app needs an account.

import { Button } from '@mantine/core'
import { linkTo } from '../address/go.ts'
import { peopleWords } from '../language/en/people.ts'
import { Empty } from '../pieces/states/empty.tsx'
import { forgetCaller } from './caller.ts'

export const ForAccounts = ({ what }: { what: string }) => (
  <Empty
    sentence={peopleWords.forAccounts(what)}
    action={
      <Button component="a" {...linkTo('/sign-in?mode=sign-up', forgetCaller)}>
        {peopleWords.signUp}
      </Button>
    }
  />
)
