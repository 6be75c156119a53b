// The format of the file: header row, delimiter and encoding. The server detects it, and a person can correct it here. The columns and the
// preview below follow.

import { Select, SimpleGrid } from '@mantine/core'
import { useQuery } from 'urql'
import { useMutationWithProblems } from '../data/use-write.ts'
import { ImportRowsDocument, UpdateImportDocument } from '../generated/documents/imports.ts'
import { type Delimiter, delimiterValues, type TextEncoding, textEncodingValues } from '../generated/schema.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import type { ImportToMap } from './mapping.ts'

const delimiters: Readonly<Record<Delimiter, string>> = { COMMA: 'Comma', SEMICOLON: 'Semicolon', TAB: 'Tab', PIPE: 'Vertical bar' }
const encodings: Readonly<Record<TextEncoding, string>> = {
  UTF_8: 'Unicode (UTF-8)',
  UTF_16LE: 'Unicode (UTF-16, little endian)',
  UTF_16BE: 'Unicode (UTF-16, big endian)',
  WINDOWS_1252: 'Western European (Windows-1252)',
  WINDOWS_1250: 'Central European (Windows-1250)',
  WINDOWS_1251: 'Cyrillic (Windows-1251)',
  WINDOWS_1253: 'Greek (Windows-1253)',
  WINDOWS_1254: 'Turkish (Windows-1254)',
  WINDOWS_1255: 'Hebrew (Windows-1255)',
  WINDOWS_1256: 'Arabic (Windows-1256)',
  WINDOWS_1257: 'Baltic (Windows-1257)',
  WINDOWS_874: 'Thai (Windows-874)',
  MACINTOSH: 'Mac (Mac OS Roman)',
  SHIFT_JIS: 'Japanese (Shift JIS)',
  GB18030: 'Chinese (GB 18030)',
  EUC_KR: 'Korean (EUC-KR)',
}
const noHeaders = 'none'
// Enough cells to recognize a row.
const maxCells = 4

export function ImportFormat({ found, mayWrite }: { found: ImportToMap; mayWrite: boolean }) {
  const { id, kind, sheet, sheets, encoding, delimiter, hasHeader, headerRow } = found
  const [{ data }] = useQuery({ query: ImportRowsDocument, variables: { id } })
  const update = useMutationWithProblems(UpdateImportDocument)
  // The server detects absent values again, so all of them are sent.
  const change = (
    next: Partial<
      { hasHeader: boolean | null } & Omit<Pick<ImportToMap, 'encoding' | 'delimiter' | 'hasHeader' | 'headerRow' | 'sheet'>, 'hasHeader'>
    >,
  ) => void update.run({ input: { id, encoding, delimiter, hasHeader, headerRow, sheet, ...next } })
  const rows = (data?.contactImportRows ?? []).map(({ row, cells }) => ({
    value: String(row),
    label: `Row ${row}: ${cells.slice(0, maxCells).join(', ')}${cells.length > maxCells ? ', ...' : ''}`,
  }))
  const chosen = headerRow === null ? noHeaders : String(headerRow)
  const isListed = chosen === noHeaders || rows.some(({ value }) => value === chosen)
  if (kind === 'VCARD') return null
  const common = { allowDeselect: false, disabled: !mayWrite || update.isRunning }
  return (
    <section aria-label="File">
      <SimpleGrid cols={{ base: 1, sm: 3 }} maw={880}>
        <Select
          {...common}
          label="Row with the headers"
          data={[...(isListed ? [] : [{ value: chosen, label: `Row ${chosen}` }]), ...rows, { value: noHeaders, label: 'No headers' }]}
          value={chosen}
          onChange={value =>
            value !== null &&
            change(value === noHeaders ? { hasHeader: false, headerRow: null } : { hasHeader: true, headerRow: Number(value) })
          }
        />
        {sheets.length > 1 && (
          <Select
            {...common}
            label="Sheet"
            data={sheets}
            value={sheet}
            onChange={value => value !== null && change({ sheet: value, hasHeader: null, headerRow: null })}
          />
        )}
        {kind === 'CSV' && (
          <>
            <Select
              {...common}
              label="Between cells"
              data={delimiterValues.map(value => ({ value, label: delimiters[value] }))}
              value={delimiter}
              onChange={value => value !== null && change({ delimiter: value })}
            />
            <Select
              {...common}
              label="Encoding"
              data={textEncodingValues.map(value => ({ value, label: encodings[value] }))}
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
