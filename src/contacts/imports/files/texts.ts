// The parts of a workbook that its sheets refer to: texts, and the styles that tell a date from a number.

import { AppError } from '../../../kernel/errors.ts'
import { readXml } from './xml.ts'

/** How a number of a style is read. */
export type NumberStyle = 'number' | 'date'

// In characters and texts. Both are in memory while the workbook is read.
const maxCharacters = 50_000_000
const maxTexts = 2_000_000
/** In characters, three times as much as Excel takes. */
export const maxCellLength = 100_000

/** The shared texts, by their index. */
export async function readTexts(bytes: AsyncIterable<Buffer>): Promise<string[]> {
  const texts: string[] = []
  let characters = 0
  const run = textRuns()
  const handler = {
    open(name: string) {
      if (name === 'si') run.begin()
      run.open(name)
    },
    text: run.text,
    close(name: string) {
      run.close(name)
      if (name !== 'si') return
      const text = run.end()
      characters += text.length
      if (texts.push(text) > maxTexts || characters > maxCharacters)
        throw new AppError('INVALID', 'The workbook has too many texts. Divide it, or save the sheet as CSV, and upload that')
    },
  }
  for await (const _piece of readXml(bytes, handler));
  return texts
}

/** Joins the texts of an element, without the pronunciation that Japanese workbooks have beside them. */
export function textRuns() {
  let text = ''
  let isText = false
  let isPronunciation = false
  return {
    begin() {
      text = ''
    },
    open(name: string) {
      if (name === 't') isText = true
      if (name === 'rPh') isPronunciation = true
    },
    text(part: string) {
      if (isText && !isPronunciation && text.length < maxCellLength) text += part
    },
    close(name: string) {
      if (name === 't') isText = false
      if (name === 'rPh') isPronunciation = false
    },
    end: () => unescaped(text),
  }
}

// `_x000D_` is a carriage return in texts of Excel.
export const unescaped = (text: string): string =>
  text.includes('_x') ? text.replace(/_x([\dA-F]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text

// The numbers of Excel's own formats, also in East Asian workbooks.
const isBuiltInDate = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

// Without texts in quotes, colours in brackets, and the sign after each of these three.
const isDateFormat = (code: string) =>
  /[dmyhs]/i.test(
    code
      .slice(0, 300)
      .replace(/[\\_*]./g, '')
      .split('"')
      .filter((_part, index) => index % 2 === 0)
      .join('')
      .split(/[[\]]/)
      .filter((_part, index) => index % 2 === 0)
      .join('')
      .replace(/general/gi, ''),
  )

/** The style of each index that cells name. */
export async function readStyles(bytes: AsyncIterable<Buffer>): Promise<NumberStyle[]> {
  const codes = new Map<string, string>()
  const styles: NumberStyle[] = []
  let isInCells = false
  const handler = {
    open(name: string, { numFmtId = '0', formatCode = '' }: Readonly<Record<string, string>>) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode)
      if (name === 'cellXfs') isInCells = true
      if (name !== 'xf' || !isInCells) return
      const code = codes.get(numFmtId)
      styles.push((code === undefined ? isBuiltInDate(Number(numFmtId)) : isDateFormat(code)) ? 'date' : 'number')
    },
    close(name: string) {
      if (name === 'cellXfs') isInCells = false
    },
  }
  for await (const _piece of readXml(bytes, handler));
  return styles
}
