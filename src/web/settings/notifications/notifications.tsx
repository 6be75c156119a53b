// Notifications: for each kind of inbox items, whether it waits in the list, pops up, shows in the browser, and comes by mail.

import { Checkbox, Select, Text } from '@mantine/core'
import type { UpdateInboxPreferencesMutationVariables } from '../../generated/operations.ts'
import type { InboxKind, InboxMail } from '../../generated/schema.ts'
import { BrowserSwitch } from '../../inbox-item/browser-switch.tsx'
import { notificationWords as words } from '../../language/en/settings/notifications.ts'
import { locale } from '../../language/language.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { ForAccounts } from '../../session/for-accounts.tsx'
import { useMe } from '../../session/use-me.ts'
import { Section } from '../section.tsx'
import classes from './notifications.module.css'
import { useInboxPreferences } from './use-inbox-preferences.ts'

type Change = UpdateInboxPreferencesMutationVariables['input']

export function Notifications() {
  const { isGuest } = useMe()
  const isAway = useIsAway()
  const { read, preferences, failure, change } = useInboxPreferences(!isGuest)
  if (isGuest)
    return (
      <Section title={words.title}>
        <ForAccounts what={words.guest} />
      </Section>
    )
  const canMail = preferences?.isMailSetUp === true && preferences.mailAddress !== null
  return (
    <>
      <Section title={words.title} sentence={words.sentence} read={read} height={480} failure={failure}>
        {preferences && (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{words.kind}</th>
                {Object.entries(words.ways).map(([way, label]) => (
                  <th key={way} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preferences.kinds.map(preference => (
                <KindRow key={preference.kind} preference={preference} isOff={isAway} canMail={canMail} onChange={change} />
              ))}
            </tbody>
          </table>
        )}
        <Text component="div" size="sm" c="dimmed">
          {Object.values(words.means).map(sentence => (
            <div key={sentence}>{sentence}</div>
          ))}
        </Text>
        <BrowserSwitch />
      </Section>
      {preferences && (
        <Section
          title={words.mailTitle}
          sentence={
            !preferences.isMailSetUp ? words.noMail : preferences.mailAddress ? words.mailTo(preferences.mailAddress) : words.noAddress
          }
        >
          <Select
            label={words.hour}
            description={words.zone(preferences.timezone)}
            maw={320}
            data={hours}
            allowDeselect={false}
            disabled={isAway || !canMail}
            value={String(preferences.digestHour)}
            onChange={hour => hour !== null && change({ digestHour: Number(hour) })}
          />
        </Section>
      )}
    </>
  )
}

interface KindRowProps {
  preference: { kind: InboxKind; inbox: boolean; toast: boolean; browser: boolean; mail: InboxMail }
  isOff: boolean
  canMail: boolean
  onChange(change: Change): void
}

const mails = ['OFF', 'AT_ONCE', 'DAILY'] as const satisfies readonly InboxMail[]
const ways = ['inbox', 'toast', 'browser'] as const

function KindRow({ preference, isOff, canMail, onChange }: KindRowProps) {
  const { kind, mail } = preference
  const name = words.kinds[kind]
  return (
    <tr>
      <th scope="row">{name}</th>
      {ways.map(way => (
        <td key={way}>
          <Checkbox
            classNames={{ labelWrapper: classes.label }}
            label={words.ways[way]}
            aria-label={words.cell(words.ways[way], name)}
            disabled={isOff}
            checked={preference[way]}
            onChange={event => onChange({ kinds: [kind], [way]: event.currentTarget.checked })}
          />
        </td>
      ))}
      <td>
        <Select
          size="xs"
          aria-label={words.cell(words.ways.mail, name)}
          data={mails.map(value => ({ value, label: words.mails[value] }))}
          allowDeselect={false}
          disabled={isOff || !canMail}
          value={mail}
          onChange={value => value && onChange({ kinds: [kind], mail: value })}
        />
      </td>
    </tr>
  )
}

const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: clock.format(hour * 3_600_000) }))
