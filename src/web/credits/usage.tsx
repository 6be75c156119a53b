// Usage by day, as a chart and as a table.

import { Group, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { sumOfAll, timeSeries } from '../charts/series.ts'
import { TimeChart } from '../charts/time-chart.tsx'
import { TimeTable } from '../charts/time-table.tsx'
import { useRead } from '../data/use-read.ts'
import { CreditUsageDocument } from '../generated/documents/credits.ts'
import { frameWords } from '../language/en/frame.ts'
import { creditPageWords } from '../language/en/screens/credits.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { dayOf, daysAfter, startOfDay } from '../language/zone.ts'
import { Credits } from '../pieces/money.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { viewersZone } from '../session/preferences.ts'
import classes from './credits.module.css'

export type UsageDays = '7' | '30' | '90' | '365'

const choices: readonly UsageDays[] = ['7', '30', '90', '365']
const label = () => frameWords.places.credits

export function Usage({ days, onDays }: { days: UsageDays; onDays(days: UsageDays): void }) {
  const [shown, setShown] = useState('chart')
  const rangeDays = Number(days)
  // The beginning of a day, so that the variables of the query stay equal until tomorrow.
  const createdSince = useMemo(() => {
    return startOfDay(daysAfter(dayOf(new Date()), 1 - rangeDays)).toISOString()
  }, [rangeDays])
  const read = useRead(CreditUsageDocument, { createdSince, timezone: viewersZone() })
  const entries = read.data?.groupCreditTransactions.groups.flatMap(({ keys: [day], sum }) =>
    day ? [{ day, name: 'spent', value: sum ?? 0 }] : [],
  )
  const series = entries && timeSeries(entries, { per: 'DAY', rangeDays })
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {creditPageWords.usage.title}
        </Title>
        <Group gap="xs">
          <Select
            size="xs"
            w={130}
            aria-label={creditPageWords.usage.range}
            allowDeselect={false}
            data={choices.map(value => ({
              value,
              label: value === '365' ? creditPageWords.usage.year : countText(Number(value), nounWords.day),
            }))}
            value={days}
            onChange={value => value && onDays(value)}
          />
          <SegmentedControl
            size="xs"
            aria-label={creditPageWords.usage.shown}
            data={[
              { value: 'chart', label: creditPageWords.usage.chart },
              { value: 'table', label: creditPageWords.usage.table },
            ]}
            value={shown}
            onChange={setShown}
          />
        </Group>
      </Group>
      {!series && <Unread read={read} height={240} count={1} />}
      {series && (
        <>
          <Text mb="sm">
            <span className={classes.spent}>
              <Credits value={sumOfAll(series)} />
            </span>{' '}
            <Text span c="dimmed" size="sm">
              {creditPageWords.usage.spentIn(countText(rangeDays, nounWords.day))}
            </Text>
          </Text>
          {series.names.length === 0 ? (
            <Text size="sm" c="dimmed">
              {creditPageWords.usage.nothing}
            </Text>
          ) : shown === 'chart' ? (
            <TimeChart series={series} label={label} per="DAY" name={creditPageWords.usage.title} height={220} />
          ) : (
            <TimeTable series={series} label={label} per="DAY" name={creditPageWords.usage.title} />
          )}
        </>
      )}
    </section>
  )
}
