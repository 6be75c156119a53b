// The parts of a total as bars from zero, with names and numbers. It is a table for screen readers.

import { Progress, Table, Text } from '@mantine/core'
import { valueWords } from '../language/en/values.ts'
import { numberText, percent } from '../language/format.ts'
import classes from './charts.module.css'

interface BreakdownProps {
  name: string
  parts: readonly { label: string; count: number }[]
}

const maxParts = 8

export function Breakdown({ name, parts }: BreakdownProps) {
  const rest = parts.slice(maxParts).reduce((sum, { count }) => sum + count, 0)
  const shown = rest > 0 ? [...parts.slice(0, maxParts), { label: valueWords.others, count: rest }] : parts
  const most = Math.max(1, ...shown.map(({ count }) => count))
  const total = Math.max(
    1,
    shown.reduce((sum, { count }) => sum + count, 0),
  )
  return (
    <Table layout="fixed" withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} aria-label={name} fz="sm">
      <Table.Tbody>
        {shown.map(({ label, count }) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={400} w="42%" pr="sm">
              <Text span inherit lineClamp={2} title={label}>
                {label}
              </Text>
            </Table.Th>
            <Table.Td>
              <Progress value={(100 * count) / most} size={8} radius="xs" color="green.6" aria-hidden />
            </Table.Td>
            <Table.Td w={48} className={classes.number}>
              {numberText(count)}
            </Table.Td>
            <Table.Td w={48} className={classes.share}>
              {percent(count / total)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
