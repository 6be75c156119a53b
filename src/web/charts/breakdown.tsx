// The parts of a total as bars from zero, with names and numbers. It is a table for screen readers.

import { Progress, Table, Text } from '@mantine/core'
import { valueWords } from '../language/en/values.ts'
import { numberText, percent } from '../language/format.ts'
import classes from './charts.module.css'

interface BreakdownProps {
  name: string
  parts: readonly Part[]
}

interface Part {
  label: string
  count: number
  /** Default: the count. */
  text?: string
  /** Stands behind the text. Default: the share of the total. Empty in all parts: there is no such column. */
  aside?: string
}

const maxParts = 8

export function Breakdown({ name, parts }: BreakdownProps) {
  // Texts such as amounts are longer than counts, and cannot be added up.
  const isLong = parts.some(({ text }) => text !== undefined)
  const rest = isLong ? 0 : parts.slice(maxParts).reduce((sum, { count }) => sum + count, 0)
  const shown: readonly Part[] = rest > 0 ? [...parts.slice(0, maxParts), { label: valueWords.others, count: rest }] : parts
  const hasAside = parts.some(({ aside }) => aside !== '')
  const most = Math.max(1, ...shown.map(({ count }) => count))
  const total = Math.max(
    1,
    shown.reduce((sum, { count }) => sum + count, 0),
  )
  return (
    <Table layout="fixed" withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} aria-label={name} fz="sm">
      <Table.Tbody>
        {shown.map(({ label, count, text = numberText(count), aside = percent(count / total) }) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={400} w={isLong ? '34%' : '42%'} pr="sm">
              <Text span inherit lineClamp={2} title={label}>
                {label}
              </Text>
            </Table.Th>
            <Table.Td>
              <Progress value={(100 * count) / most} size={8} radius="xs" color="green.6" aria-hidden />
            </Table.Td>
            <Table.Td w={isLong ? 88 : 48} className={classes.number}>
              {text}
            </Table.Td>
            {hasAside && (
              <Table.Td w={isLong ? 28 : 48} className={classes.share}>
                {aside}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
