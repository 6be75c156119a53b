// The table of a connection. Above it stand a button for new rows, and the failure of a reading.

import { Box, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { Connection } from '../data/use-connection.ts'
import { tableWords } from '../language/en/frame.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { DataTable } from './data-table.tsx'
import type { DataTableProps } from './props.ts'

interface ListTableProps<Row extends { id: string }> extends DataTableProps<Row> {
  list: Connection<Row>
}

export function ListTable<Row extends { id: string }>(props: ListTableProps<Row>) {
  const { failure, hasNews, refresh, rows } = props.list
  return (
    <>
      {hasNews && (
        <Button variant="light" fullWidth radius={0} leftSection={<IconRefresh />} onClick={refresh}>
          {tableWords.changed}
        </Button>
      )}
      {failure && (
        <Box p="md">
          <ErrorNotice failure={failure} onRetry={refresh} />
        </Box>
      )}
      {!(failure && rows.length === 0) && <DataTable {...props} />}
    </>
  )
}
