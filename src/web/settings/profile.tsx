// The person: name, appearance of the app, password, signing out.

import { Button, Group, Input, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { UpdateProfileDocument } from '../generated/documents/settings.ts'
import { profileWords } from '../language/en/settings/profile.ts'
import { settingsWords } from '../language/en/settings/sections.ts'
import { type Language, language, languages } from '../language/language.ts'
import { useIsAway } from '../live/connectivity.ts'
import { CopyIcon } from '../pieces/copy-text.tsx'
import { notify } from '../pieces/notices/refusal.tsx'
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
      <Section title={profileWords.you}>
        {isGuest ? (
          <ForAccounts what={profileWords.forGuests} />
        ) : (
          <>
            {me && <NameForm name={me.name ?? ''} />}
            <Rows label={profileWords.you}>
              <Row name={profileWords.email} facts={me?.email ?? profileWords.withoutAddress} />
              <Row
                name={profileWords.id}
                facts={profileWords.idHelp}
                actions={<CopyIcon text={me?.userId ?? ''} label={profileWords.yourId} />}
              />
              {me?.email && <PasswordRow email={me.email} />}
            </Rows>
          </>
        )}
      </Section>
      <Appearance />
      {!isGuest && (
        <Section title={profileWords.signOut} sentence={profileWords.signOutHelp}>
          <Group>
            <Button variant="default" onClick={() => void signOut()}>
              {profileWords.signOut}
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
      () => setSaid(profileWords.linkComes(email)),
      (error: unknown) => setSaid(error instanceof Error ? error.message : profileWords.noAnswer),
    )
  return (
    <Row
      name={profileWords.password}
      facts={<output>{said ?? profileWords.passwordHelp}</output>}
      actions={
        <Button variant="default" onClick={() => void ask()}>
          {profileWords.changePassword}
        </Button>
      }
    />
  )
}

function NameForm({ name }: { name: string }) {
  const write = useWriteForm({
    document: UpdateProfileDocument,
    initialValues: { name },
    validate: { name: value => (value.trim() === '' ? profileWords.nameNeeded : null) },
    toVariables: input => ({ input }),
    onWritten: () => notify(profileWords.isChanged),
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={profileWords.saveName}>
      <TextInput
        label={profileWords.name}
        maw={420}
        description={profileWords.nameHelp}
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
    <Section title={profileWords.appearance} sentence={isGuest ? profileWords.inBrowser : profileWords.withAccount}>
      {failure && <ErrorNotice failure={failure} />}
      <Choice label={profileWords.colors}>
        <SegmentedControl
          aria-label={profileWords.colors}
          value={scheme}
          onChange={choose}
          data={[
            { value: 'auto', label: <Text size="sm">{profileWords.auto}</Text> },
            { value: 'light', label: <Text size="sm">{profileWords.light}</Text> },
            { value: 'dark', label: <Text size="sm">{profileWords.dark}</Text> },
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
          <Choice label={profileWords.rows}>
            <SegmentedControl
              aria-label={profileWords.rows}
              disabled={isOff}
              value={preferences?.tableDensity ?? 'COMFORTABLE'}
              onChange={tableDensity => void change({ tableDensity })}
              data={[
                { value: 'COMFORTABLE', label: <Text size="sm">{profileWords.comfortable}</Text> },
                { value: 'COMPACT', label: <Text size="sm">{profileWords.compact}</Text> },
              ]}
            />
          </Choice>
          <Select
            label={profileWords.zone}
            description={profileWords.zoneHelp}
            maw={320}
            placeholder={profileWords.browsersZone(browsersZone)}
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
