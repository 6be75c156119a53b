// The person: name, appearance of the app, password, signing out.

import { Button, Group, Input, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { UpdateProfileDocument } from '../generated/documents/settings.ts'
import { announce } from '../keyboard/announce.tsx'
import { settingsWords } from '../language/en/people.ts'
import { type Language, language, languages } from '../language/language.ts'
import { useIsAway } from '../live/connectivity.ts'
import { CopyIcon } from '../pieces/copy-text.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { ForAccounts } from '../session/for-accounts.tsx'
import { browsersZone } from '../session/preferences.ts'
import { requestPasswordReset } from '../session/sign-in.ts'
import { signOut } from '../session/sign-out.ts'
import { useMe } from '../session/use-me.ts'
import { useColours, useLanguageChoice, usePreferences } from '../session/use-preferences.ts'
import { Row, Rows, Section } from './section.tsx'

export function Profile() {
  const { me, isGuest } = useMe()
  return (
    <>
      <Section title="You">
        {isGuest ? (
          <ForAccounts what="A name and a password" />
        ) : (
          <>
            {me && <NameForm name={me.name ?? ''} />}
            <Rows label="You">
              <Row name="Email" facts={me?.email ?? 'Without an address'} />
              <Row name="Your ID" facts="For support and for programs" actions={<CopyIcon text={me?.userId ?? ''} label="your ID" />} />
              {me?.email && <PasswordRow email={me.email} />}
            </Rows>
          </>
        )}
      </Section>
      <Appearance />
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

function NameForm({ name }: { name: string }) {
  const write = useWriteForm({
    document: UpdateProfileDocument,
    initialValues: { name },
    validate: { name: value => (value.trim() === '' ? 'Enter a name' : null) },
    toVariables: input => ({ input }),
    onWritten: () => announce('Your name is changed'),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb="Save name">
      <TextInput
        label="Name"
        maw={420}
        description="As members of your organizations see it"
        maxLength={200}
        autoComplete="name"
        {...form.getInputProps('name')}
      />
    </WriteFormView>
  )
}

const zones = Intl.supportedValuesOf('timeZone')

function Appearance() {
  const { isGuest } = useMe()
  const { scheme, choose } = useColours()
  const kept = usePreferences()
  const { preferences, failure, change } = kept
  const chooseLanguage = useLanguageChoice(kept)
  const isOff = useIsAway() || preferences === null
  return (
    <Section
      title="Appearance"
      sentence={isGuest ? 'Kept in this browser.' : 'Kept with your account, for every browser that you sign in with.'}
    >
      {failure && <ErrorNotice failure={failure} />}
      <Choice label="Colours">
        <SegmentedControl
          aria-label="Colours"
          value={scheme}
          onChange={choose}
          data={[
            { value: 'auto', label: <Text size="sm">Same as the device</Text> },
            { value: 'light', label: <Text size="sm">Light</Text> },
            { value: 'dark', label: <Text size="sm">Dark</Text> },
          ]}
        />
      </Choice>
      <Choice label={settingsWords.language}>
        <SegmentedControl
          aria-label={settingsWords.language}
          disabled={!isGuest && isOff}
          value={language}
          onChange={chooseLanguage}
          data={(Object.entries(languages) as [Language, string][]).map(([value, label]) => ({
            value,
            label: <Text size="sm">{label}</Text>,
          }))}
        />
        <Text size="xs" c="dimmed">
          {settingsWords.languageHelp}
        </Text>
      </Choice>
      {!isGuest && (
        <>
          <Choice label="Rows of tables">
            <SegmentedControl
              aria-label="Rows of tables"
              disabled={isOff}
              value={preferences?.tableDensity ?? 'COMFORTABLE'}
              onChange={tableDensity => void change({ tableDensity })}
              data={[
                { value: 'COMFORTABLE', label: <Text size="sm">Comfortable</Text> },
                { value: 'COMPACT', label: <Text size="sm">Compact</Text> },
              ]}
            />
          </Choice>
          <Select
            label="Time zone"
            description="For times, days and daily figures"
            maw={320}
            placeholder={`Time zone of the browser (${browsersZone})`}
            clearable
            searchable
            limit={50}
            disabled={isOff}
            data={preferences?.timezone && !zones.includes(preferences.timezone) ? [preferences.timezone, ...zones] : zones}
            value={preferences?.timezone ?? null}
            onChange={timezone => void change({ timezone })}
          />
        </>
      )}
    </Section>
  )
}

const Choice = ({ label, children }: { label: string; children: ReactNode }) => (
  <Input.Wrapper label={label} labelElement="div">
    <Group mt={4}>{children}</Group>
  </Input.Wrapper>
)
