// The result that the first rows of the file would have, and the reasons of refusals.

import { Table, Text, Title } from '@mantine/core'
import { useRead } from '../data/use-read.ts'
import { PreviewImportDocument } from '../generated/documents/imports.ts'
import type { ContactImportMappingInput } from '../generated/operations.ts'
import type { OnConflict } from '../generated/schema.ts'
import { Unread } from '../pieces/states/unread.tsx'
import { Status } from '../pieces/status.tsx'
import classes from './imports.module.css'

interface PreviewProps {
  id: string
  mapping: ContactImportMappingInput[]
  onConflict: OnConflict | null
  options: readonly { value: string; label: string }[]
}

const outcomes = {
  CREATED: ['good', 'Added'],
  UPDATED: ['information', 'Changed'],
  SKIPPED: ['quiet', 'Left as it is'],
  FAILED: ['failing', 'Refused'],
} as const

export function Preview({ id, mapping, onConflict, options }: PreviewProps) {
  const read = useRead(PreviewImportDocument, { id, mapping, onConflict }, { isFresh: true })
  const rows = read.data?.previewContactImport.rows
  const refused = rows?.filter(({ outcome }) => outcome === 'FAILED').length ?? 0
  const columns = mapping.map(({ column, field, customField }) => ({
    column,
    label: options.find(({ value }) => value === (field ?? `custom.${customField}`))?.label ?? '',
  }))
  return (
    <section aria-labelledby="preview-title" aria-busy={read.isReading}>
      <Title order={2} size="h4" id="preview-title">
        Preview
      </Title>
      {(read.failure || !rows) && <Unread read={read} />}
      {!read.failure && rows && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {rows.length === 0
              ? 'The file has no rows.'
              : refused === 0
                ? `None of the first ${rows.length} rows would be refused.`
                : `${refused} of the first ${rows.length} rows would be refused.`}
          </Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls. */}
          <section className={classes.preview} tabIndex={0} aria-label="The first rows">
            <Table verticalSpacing={6} fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th className={classes.number}>Row</Table.Th>
                  <Table.Th>Becomes</Table.Th>
                  {columns.map(({ column, label }) => (
                    <Table.Th key={column}>{label}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(({ row, cells, outcome, problem }) => (
                  <Table.Tr key={row}>
                    <Table.Td className={classes.number}>{row}</Table.Td>
                    <Table.Td className={classes.outcome}>
                      <Status tone={outcomes[outcome][0]} label={outcomes[outcome][1]} />
                      {problem && (
                        <Text size="xs" c="dimmed">
                          {problem}
                        </Text>
                      )}
                    </Table.Td>
                    {columns.map(({ column }) => (
                      <Table.Td key={column} className={classes.cell}>
                        {cells[column]}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        </>
      )}
    </section>
  )
}
