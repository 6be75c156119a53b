// Writes workbooks of Excel for tests: a ZIP archive of the parts that the reader knows.

import { crc32, deflateRawSync } from 'node:zlib'

type Value = string | number | boolean | Date | null

/** A ZIP archive. `declared`: sizes that its directory says in place of the true ones. */
export function zip(parts: Readonly<Record<string, string | Buffer>>, { flags = 0, declared = {} as Record<string, number> } = {}): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declared[name] ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const header = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, Buffer.from(name)])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fields, tail, Buffer.from(name)]))
    local.push(header, packed)
    offset += header.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('504b0506', 0, 'hex')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const nameOf = (column: number): string =>
  (column < 26 ? '' : nameOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

function cellOf(value: Value, reference: string, texts: string[]): string {
  if (value === null) return ''
  if (typeof value === 'string') return `<c r="${reference}" t="s"><v>${texts.push(value) - 1}</v></c>`
  if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${Number(value)}</v></c>`
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`
  return `<c r="${reference}" s="1"><v>${value.getTime() / 86_400_000 + 25_569}</v></c>`
}

/** The parts of a workbook with the sheets. */
export function workbookParts(sheets: Readonly<Record<string, readonly (readonly Value[])[]>>): Record<string, string> {
  const texts: string[] = []
  const names = Object.keys(sheets)
  const written = Object.values(sheets).map(rows =>
    rows
      .map((cells, row) => `<row r="${row + 1}">${cells.map((cell, at) => cellOf(cell, nameOf(at) + (row + 1), texts)).join('')}</row>`)
      .join(''),
  )
  return {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns:r="urn:r"><sheets>${names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_name, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      written.map((rows, at) => [`xl/worksheets/sheet${at + 1}.xml`, `<worksheet><sheetData>${rows}</sheetData></worksheet>`]),
    ),
    'xl/sharedStrings.xml': `<sst>${texts.map(text => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
  }
}

export const workbook = (sheets: Parameters<typeof workbookParts>[0]): Buffer => zip(workbookParts(sheets))
