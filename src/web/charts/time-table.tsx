// The figures of a chart over time as a table, newest first.

import { Table } from '@mantine/core'
import type { CalendarUnit } from '../generated/schema.ts'
import { locale } from '../language/language.ts'
import classes from './charts.module.css'
import { dayLabel } from './days.ts'
import type { TimeSeries } from './series.ts'

interface TimeTableProps {
  series: TimeSeries
  label(name: string): string
  per: CalendarUnit
  name: string
  format?: (value: number) => string
}

const plainly = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
const titles = { DAY: 'Day', WEEK: 'Week from', MONTH: 'Month', YEAR: 'Year' } as const satisfies Record<CalendarUnit, string>

export function TimeTable({ series, label, per, name, format = value => plainly.format(value) }: TimeTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls.
    <section className={classes.scrolling} tabIndex={0} aria-label={name}>
      <Table fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{titles[per]}</Table.Th>
            {series.names.map(one => (
              <Table.Th key={one} className={classes.number}>
                {label(one)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {series.rows.toReversed().map(({ day, values }) => (
            <Table.Tr key={day}>
              <Table.Td>{dayLabel(day, per)}</Table.Td>
              {series.names.map(one => (
                <Table.Td key={one} className={classes.number}>
                  {format(values[one] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
