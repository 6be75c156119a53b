// The figures of a widget as a table: the first column has names, the others numbers.

import { Table } from '@mantine/core'
import classes from '../../charts/charts.module.css'

interface FiguresTableProps {
  name: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

export function FiguresTable({ name, head, rows }: FiguresTableProps) {
  const [first, ...others] = head
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls.
    <section className={classes.scrolling} tabIndex={0} aria-label={name}>
      <Table fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{first}</Table.Th>
            {others.map(one => (
              <Table.Th key={one} className={classes.number}>
                {one}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([label = '', ...cells]) => (
            <Table.Tr key={[label, ...cells].join(' ')}>
              <Table.Td>{label}</Table.Td>
              {cells.map((cell, index) => (
                <Table.Td key={others[index]} className={classes.number}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
