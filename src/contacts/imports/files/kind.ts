// The kind of an uploaded file, by its first bytes. Names and types of files are often wrong. Pure.

import { AppError } from '../../../kernel/errors.ts'

export type FileKind = 'csv' | 'xlsx' | 'vcard'

/** Throws UNSUPPORTED_MEDIA_TYPE for files that are no table of contacts. */
export function kindOf(head: Buffer): FileKind {
  const starts = (hex: string) => head.subarray(0, hex.length / 2).toString('hex') === hex
  if (starts('504b0304') || starts('504b0506')) return 'xlsx'
  if (starts('1f8b')) throw unreadable('compressed with gzip')
  if (starts('25504446')) throw unreadable('a PDF')
  const begin = head
    .subarray(0, 200)
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^[ïþÿ»¿\s]{1,9}/, '')
  if (/^BEGIN[ \t]*:[ \t]*VCARD/i.test(begin)) return 'vcard'
  if (/^(?:<\?xml|<!doctype|<html|<table|<!--)/i.test(begin)) throw unreadable('a web page or XML, as some programs call a workbook')
  if (/^(?:\[\s*\{|\{\s*")/.test(begin)) throw unreadable('JSON')
  return 'csv'
}

export const unreadable = (what: string) =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', `The file is ${what}. Save it as CSV in UTF-8, and upload that`)

const oldWorkbook = 'd0cf11e0a1b11ae1'
const encryptedPart = Buffer.from('EncryptedPackage', 'utf16le')

/** Whether the file is an OLE container: a workbook of an old Excel, or one with a password. */
export const isOldWorkbook = (head: Buffer): boolean => head.subarray(0, 8).toString('hex') === oldWorkbook

/** Why an OLE container is not read. Its directory, which names the encrypted part, may stand anywhere. */
export async function refuseOldWorkbook(chunks: AsyncIterable<Buffer>): Promise<never> {
  let last: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const both = Buffer.concat([last, chunk])
    if (both.includes(encryptedPart)) throw protectedWorkbook()
    last = both.subarray(-encryptedPart.length)
  }
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The file is a workbook of an old Excel (.xls). Save it as .xlsx or as CSV, and upload that')
}

export const protectedWorkbook = () =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', 'The workbook is protected by a password. Remove the password in Excel, and upload it again')
