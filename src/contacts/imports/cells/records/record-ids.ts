// Ids that records have in the system of a file. Pure.

import { listOf } from '../../../exports/lists.ts'
import { type Cell, is, leaveOut } from '../cell.ts'

// As many as a deal has contacts.
const maxIds = 50
const maxLength = 255

const isShortened = (id: string) => /^\d+[.,]\d+E\+\d+$/i.test(id)
// `901.0`: a table of numbers.
const plain = (id: string) => id.replace(/^(\d+)\.0$/, '$1')

export function recordIdIn(text: string): Cell {
  if (isShortened(text)) return leaveOut('is an id that a spreadsheet has shortened; format its column as text, and save the file again')
  if (text.length > maxLength) return leaveOut(`is longer than ${maxLength} characters`)
  // One of several: the first.
  return is(plain(text.split(';', 1)[0]?.trim() ?? text))
}

export function recordIdsIn(text: string): Cell {
  const ids = [...new Set(listOf(text).map(plain))].filter(id => id.length <= maxLength && !isShortened(id))
  if (ids.length === 0) return leaveOut('is no id; save the column as text')
  return { value: ids.slice(0, maxIds), warnings: ids.length > maxIds ? [`has ${ids.length} ids; only the first ${maxIds} are used`] : [] }
}
