// The person: how they are known here, the colours, the password, signing out.

import { Button, Group, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { CopyText } from '../pieces/copy-text.tsx'
import { requestPasswordReset } from '../session/sign-in.ts'
import { signOut } from '../session/sign-out.ts'
import { useMe } from '../session/use-me.ts'
import { ForAccounts } from './guests.tsx'
import { Row, Rows, Section } from './section.tsx'

export function Profile() {
  const { me, isGuest } = useMe()
  return (
    <>
      <Section title="You">
        {isGuest ? (
          <ForAccounts what="A name and a password" />
        ) : (
          <Rows label="You">
            <Row name={me?.name ?? 'Without a name'} facts={me?.email} />
            <Row name="Id" facts={<CopyText text={me?.userId ?? ''} label="id" />} />
            {me?.email && <PasswordRow email={me.email} />}
          </Rows>
        )}
      </Section>
      <Colours />
      {!isGuest && (
        <Section title="Sign out" sentence="Ends the session of this browser, in all its tabs.">
          <Group>
            <Button variant="default" onClick={() => void signOut()}>
              Sign out
            </Button>
          </Group>
        </Section>
      )}
    </>
  )
}

function PasswordRow({ email }: { email: string }) {
  const [said, setSaid] = useState<string | null>(null)
  const ask = () =>
    requestPasswordReset({ email, redirectTo: '/reset-password' }).then(
      () => setSaid(`A link to a new password is on its way to ${email}. It works once, for an hour.`),
      (error: unknown) => setSaid(error instanceof Error ? error.message : 'The server did not answer. Try again.'),
    )
  return (
    <Row
      name="Password"
      facts={<output>{said ?? 'Changed by a link in a mail. It signs you out everywhere.'}</output>}
      actions={
        <Button variant="default" onClick={() => void ask()}>
          Change password
        </Button>
      }
    />
  )
}

function Colours() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section title="Colours" sentence="Kept in this browser.">
      <Group>
        <SegmentedControl
          aria-label="Colours"
          value={colorScheme}
          onChange={setColorScheme}
          data={[
            { value: 'auto', label: <Text size="sm">Of the system</Text> },
            { value: 'light', label: <Text size="sm">Light</Text> },
            { value: 'dark', label: <Text size="sm">Dark</Text> },
          ]}
        />
      </Group>
    </Section>
  )
}
