// Settings of calls: calling hours, calls at the same time, and the deny list.

import { Button, Chip, Group, Input, NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import { UpdateVoiceSettingsDocument, VoiceSettingsDocument } from '../../generated/documents/settings.ts'
import type { VoiceSettingsFieldsFragment } from '../../generated/operations.ts'
import { callWords } from '../../language/en/calls.ts'
import { callSettingWords } from '../../language/en/settings/calls.ts'
import { locale } from '../../language/language.ts'
import { notify } from '../../pieces/notices/refusal.tsx'
import { useMe } from '../../session/use-me.ts'
import { Section } from '../section.tsx'
import { DenyList } from './deny-list.tsx'

export function Voice() {
  const { mayWrite } = useMe()
  const read = useRead(VoiceSettingsDocument, {})
  const settings = read.data?.voiceSettings
  return (
    <>
      <Section read={read} height={240} title={callSettingWords.title} sentence={callSettingWords.sentence}>
        {settings && (
          <fieldset disabled={!mayWrite} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <VoiceForm settings={settings} />
          </fieldset>
        )}
      </Section>
      <DenyList />
    </>
  )
}

const list = new Intl.ListFormat(locale, { type: 'conjunction' })
const days = Object.values(callSettingWords.weekdays)
const zones = Intl.supportedValuesOf('timeZone')
const clock = /^([01]\d|2[0-4]):[0-5]\d$/
const clockProblem = (value: string) => (value === '' || clock.test(value) ? null : callSettingWords.clockProblem)

/** The stored hours as a sentence, and the usual ones by a click where there are none. */
function Hours({ settings: { callingHours }, onUsual }: { settings: VoiceSettingsFieldsFragment; onUsual(): void }) {
  const { hours } = callWords
  const isAlways = callingHours.days.length === 7 && callingHours.from === null
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" flex="1 1 240px">
        {isAlways ? hours.always : hoursText(callingHours)}
      </Text>
      {isAlways && (
        <Button variant="default" size="xs" onClick={onUsual}>
          {hours.usual}
        </Button>
      )}
    </Group>
  )
}

function hoursText({ days: numbers, from, until }: VoiceSettingsFieldsFragment['callingHours']): string {
  const { hours } = callWords
  const names = numbers.map(number => days[number - 1] ?? '')
  const isWeekdays = numbers.join() === '1,2,3,4,5'
  const when = numbers.length === 7 ? hours.everyDay : isWeekdays ? hours.weekdays : hours.on(list.format(names))
  return hours.ring(when, from && until ? hours.between(from, until) : hours.anyHour)
}

function VoiceForm({ settings }: { settings: VoiceSettingsFieldsFragment }) {
  const { callingHours, concurrency, defaultTimezone } = settings
  const [chosen, setChosen] = useState(() => callingHours.days.map(String))
  const write = useWriteForm({
    document: UpdateVoiceSettingsDocument,
    initialValues: {
      concurrency: concurrency as number | string,
      defaultTimezone,
      from: callingHours.from ?? '',
      until: callingHours.until ?? '',
    },
    validate: {
      concurrency: value => (Number(value) >= 1 ? null : callSettingWords.atLeastOne),
      from: (value, { until }) => clockProblem(value) ?? (value === '' && until !== '' ? callSettingWords.bothTimes : null),
      until: (value, { from }) => clockProblem(value) ?? (value === '' && from !== '' ? callSettingWords.bothTimes : null),
    },
    toVariables: values => ({
      input: {
        concurrency: Number(values.concurrency),
        defaultTimezone: values.defaultTimezone,
        callingHours: {
          days: chosen.map(Number).toSorted(),
          ...(values.from && { from: values.from }),
          ...(values.until && { until: values.until }),
        },
      },
    }),
    onWritten: () => notify(callSettingWords.areSaved),
  })
  const { form } = write
  const usual = () => {
    setChosen(['1', '2', '3', '4', '5'])
    form.setFieldValue('from', '09:00')
    form.setFieldValue('until', '18:00')
  }
  return (
    <WriteFormView write={write} verb={callSettingWords.save}>
      <Hours settings={settings} onUsual={usual} />
      <Input.Wrapper label={callSettingWords.days} description={callSettingWords.daysHelp} labelElement="div">
        <Chip.Group multiple value={chosen} onChange={setChosen}>
          <Group gap={6} mt={6}>
            {days.map((label, index) => (
              <Chip key={label} value={String(index + 1)} size="sm" radius="md" variant="outline">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          label={callSettingWords.from}
          placeholder="09:00"
          description={callSettingWords.fromHelp}
          {...form.getInputProps('from')}
        />
        <TextInput
          label={callSettingWords.until}
          placeholder="18:00"
          description={callSettingWords.untilHelp}
          {...form.getInputProps('until')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={callSettingWords.zone}
          description={callSettingWords.zoneHelp}
          searchable
          allowDeselect={false}
          data={zones.includes(defaultTimezone) ? zones : [defaultTimezone, ...zones]}
          limit={50}
          {...form.getInputProps('defaultTimezone')}
        />
        <NumberInput
          label={callSettingWords.atOnce}
          description={callSettingWords.atOnceHelp}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('concurrency')}
        />
      </SimpleGrid>
    </WriteFormView>
  )
}
