// Workbooks of Excel (.xlsx): a ZIP archive of XML. Everything is counted while it is read, because a small archive may unpack to gigabytes.

import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { AppError, invalid } from '../../../kernel/errors.ts'
import { shorten } from '../../../kernel/input/cut.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { protectedWorkbook, unreadable } from './kind.ts'
import { type DateSystem, rowsOfSheet } from './sheet.ts'
import { readStyles, readTexts } from './texts.ts'
import { readXml } from './xml.ts'

export interface Workbook {
  /** The names of its sheets that are not hidden. */
  sheets: string[]
  /** Throws INVALID for a name of no sheet. */
  rowsOf(sheet: string | null): Promise<{ sheet: string; rows: AsyncGenerator<string[]> }>
}

const maxEntries = 10_000
/** In bytes, unpacked. */
const maxPart = 300_000_000
const maxSmallPart = 20_000_000

/** Throws INVALID and UNSUPPORTED_MEDIA_TYPE. */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  const { archive, entries } = await openArchive(bytes)
  const partOf = (name: string) => entries.get(name.toLowerCase())
  const read = (name: string, max: number) => bytesOf(archive, partOf(name), max)
  if (!partOf('xl/workbook.xml')) throw notAWorkbook(new Set(entries.keys()))
  const { sheets, dates } = await readSheets(read('xl/workbook.xml', maxSmallPart), read('xl/_rels/workbook.xml.rels', maxSmallPart))
  const visible = sheets.filter(({ isHidden, target }) => !isHidden && partOf(target) !== undefined)
  const [first] = visible
  if (!first) throw new AppError('INVALID', 'The workbook has no sheet with a table')
  const styles = await readStyles(read('xl/styles.xml', maxSmallPart))
  const texts = await readTexts(read('xl/sharedStrings.xml', maxPart))
  const rows = (target: string) => rowsOfSheet(read(target, maxPart), { texts, styles, dates })
  return {
    sheets: visible.map(({ name }) => name),
    async rowsOf(wanted) {
      const named = visible.find(({ name }) => name === wanted)
      if (wanted !== null && !named)
        throw noSuchSheet(
          wanted,
          visible.map(({ name }) => name),
        )
      if (named) return { sheet: named.name, rows: rows(named.target) }
      // Some programs put an empty sheet, or one with a title alone, before the table.
      for (const { name, target } of visible) if (await hasRows(rows(target))) return { sheet: name, rows: rows(target) }
      return { sheet: first.name, rows: rows(first.target) }
    },
  }
}

async function hasRows(rows: AsyncGenerator<string[]>): Promise<boolean> {
  let count = 0
  for await (const cells of rows) if (cells.filter(cell => cell !== '').length > 0 && ++count > 1) return true
  return false
}

async function openArchive(bytes: Buffer): Promise<{ archive: ZipFile; entries: Map<string, Entry> }> {
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true, autoClose: false })
    const entries = new Map<string, Entry>()
    if (archive.entryCount > maxEntries) throw new AppError('INVALID', 'The workbook has too many parts')
    for await (const entry of archive.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
    return { archive, entries }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('INVALID', 'The workbook is damaged, or did not arrive completely. Save it again, and upload that', { cause: error })
  }
}

async function* bytesOf(archive: ZipFile, entry: Entry | undefined, maxBytes: number): AsyncGenerator<Buffer> {
  if (!entry) return
  if (entry.isEncrypted()) throw protectedWorkbook()
  if (entry.uncompressedSize > maxBytes)
    throw new AppError(
      'INVALID',
      `The workbook unpacks to more than ${maxBytes / 1_000_000} MB. Divide it, or save the sheet as CSV, and upload that`,
    )
  try {
    // The library ends the stream with an error where it is longer than the archive says.
    for await (const part of await archive.openReadStreamPromise(entry, {})) yield part as Buffer
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('INVALID', 'The workbook is damaged. Save it again, and upload that', { cause: error })
  }
}

interface Sheet {
  name: string
  target: string
  isHidden: boolean
}

async function readSheets(
  workbook: AsyncIterable<Buffer>,
  relations: AsyncIterable<Buffer>,
): Promise<{ sheets: Sheet[]; dates: DateSystem }> {
  const targets = new Map<string, string>()
  const relation = (name: string, { Id = '', Target = '' }: Readonly<Record<string, string>>) => {
    if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`)
  }
  for await (const _piece of readXml(relations, { open: relation }));
  const sheets: Sheet[] = []
  let dates: DateSystem = 1900
  const open = (element: string, attributes: Readonly<Record<string, string>>) => {
    const { name = '', state, date1904 } = attributes
    if (element === 'workbookPr' && /^(?:1|true)$/.test(date1904 ?? '')) dates = 1904
    const relationId = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1] ?? ''
    if (element === 'sheet')
      sheets.push({ name, target: targets.get(relationId) ?? '', isHidden: state !== undefined && state !== 'visible' })
  }
  for await (const _piece of readXml(workbook, { open }));
  return { sheets, dates }
}

function notAWorkbook(names: ReadonlySet<string>): AppError {
  if (names.has('xl/workbook.bin')) return unreadable('a binary workbook of Excel (.xlsb)')
  if (names.has('word/document.xml')) return unreadable('a document of Word')
  if (names.has('ppt/presentation.xml')) return unreadable('a presentation')
  if (names.has('content.xml')) return unreadable('a file of OpenOffice or LibreOffice')
  if ([...names].some(name => name.endsWith('.iwa'))) return unreadable('a file of Numbers or Pages')
  return unreadable('a ZIP archive')
}

const noSuchSheet = (wanted: string, names: readonly string[]) =>
  invalid(valueError('sheet', `the workbook has no sheet of this name; it has ${shorten(names.join(', '), 500)}`, wanted))
