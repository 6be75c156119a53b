// The format of the file: header row, delimiter and encoding. The server detects it, and a person can correct it here. The columns and the
// preview below follow.

import { Select, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from 'urql'
import { useMutationWithProblems } from '../data/use-write.ts'
import { ImportRowsDocument, UpdateImportDocument } from '../generated/documents/imports.ts'
import { delimiterValues, textEncodingValues } from '../generated/schema.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import type { ImportToMap } from './mapping.ts'
import { nounOptions } from './nouns.ts'

const noHeaders = 'none'
// Enough cells to recognize a row.
const maxCells = 4

export function ImportFormat({ found, mayWrite }: { found: ImportToMap; mayWrite: boolean }) {
  const { id, kind, sheet, sheets, encoding, delimiter, hasHeader, headerRow, noun, system } = found
  const [{ data }] = useQuery({ query: ImportRowsDocument, variables: { id } })
  const update = useMutationWithProblems(UpdateImportDocument)
  // The server detects absent values again, so all of them are sent.
  const change = (
    next: Partial<
      { hasHeader: boolean | null } & Omit<
        Pick<ImportToMap, 'encoding' | 'delimiter' | 'hasHeader' | 'headerRow' | 'sheet' | 'noun'>,
        'hasHeader'
      >
    >,
  ) => void update.run({ input: { id, encoding, delimiter, hasHeader, headerRow, sheet, noun, ...next } })
  const rows = (data?.contactImportRows ?? []).map(({ row, cells }) => ({
    value: String(row),
    label: importWords.rowCells(row, `${cells.slice(0, maxCells).join(', ')}${cells.length > maxCells ? ', ...' : ''}`),
  }))
  const chosen = headerRow === null ? noHeaders : String(headerRow)
  const isListed = chosen === noHeaders || rows.some(({ value }) => value === chosen)
  if (kind === 'VCARD') return null
  const common = { allowDeselect: false, disabled: !mayWrite || update.isRunning }
  return (
    <section aria-label={importWords.file}>
      {system !== null && (
        <Text size="sm" mb="xs">
          {importWords.exportOf(system)}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, md: 4 }} maw={960}>
        <Select
          {...common}
          label={importWords.rowsBecome}
          data={nounOptions}
          value={noun}
          onChange={value => value !== null && change({ noun: value })}
        />
        <Select
          {...common}
          label={importWords.headers}
          data={[
            ...(isListed ? [] : [{ value: chosen, label: importWords.rowNumber(chosen) }]),
            ...rows,
            { value: noHeaders, label: importWords.noHeaders },
          ]}
          value={chosen}
          onChange={value =>
            value !== null &&
            change(value === noHeaders ? { hasHeader: false, headerRow: null } : { hasHeader: true, headerRow: Number(value) })
          }
        />
        {sheets.length > 1 && (
          <Select
            {...common}
            label={importWords.sheet}
            data={sheets}
            value={sheet}
            onChange={value => value !== null && change({ sheet: value, hasHeader: null, headerRow: null })}
          />
        )}
        {kind === 'CSV' && (
          <>
            <Select
              {...common}
              label={importWords.between}
              data={delimiterValues.map(value => ({ value, label: importWords.delimiters[value] }))}
              value={delimiter}
              onChange={value => value !== null && change({ delimiter: value })}
            />
            <Select
              {...common}
              label={importWords.encoding}
              data={textEncodingValues.map(value => ({ value, label: importWords.encodings[value] }))}
              value={encoding}
              onChange={value => value !== null && change({ encoding: value })}
            />
          </>
        )}
      </SimpleGrid>
      {update.failure && <ErrorNotice failure={update.failure} />}
    </section>
  )
}
