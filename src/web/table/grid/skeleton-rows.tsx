// Rows of the final shape while a page loads; never a spinner over the table.

import { Skeleton, Table } from '@mantine/core'
import { Late } from '../../pieces/late-skeleton.tsx'

// Uneven, as values are.
const widths = ['62%', '78%', '45%', '70%', '54%']

export function SkeletonRows({ count, columns }: { count: number; columns: number }) {
  const rows = Array.from({ length: count }, (_, index) => index)
  const cells = Array.from({ length: columns }, (_, index) => index)
  return (
    <Late>
      {rows.map(row => (
        <Table.Tr key={row} aria-hidden="true">
          {cells.map(cell => (
            <Table.Td key={cell}>
              <Skeleton height={10} width={widths[(row + cell) % widths.length]} />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Late>
  )
}
