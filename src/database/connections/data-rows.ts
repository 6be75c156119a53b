// Reads the rows of an answer from the bytes that the socket delivers, and leaves every other message to pg. pg decodes each cell by a call
// into native code, and emits an event per row: that takes twice the server CPU of reading a page's rows.

import { EventEmitter } from 'node:events'

/** A running query that takes rows without pg. */
export interface RowTaker {
  takeRow(cells: (string | null)[]): void
}

/** The members of a pg connection that are used here; pg's types omit them. Its version is pinned. */
export interface Messages {
  attachListeners(stream: EventEmitter): void
}

const dataRow = 68
// Every message begins with its type, a byte, and its length without that byte.
const header = 5

/** Reads rows for the running query, if it takes them. Called before the connection opens. */
export function readRows(connection: Messages, taker: () => RowTaker | undefined): void {
  const attach = connection.attachListeners
  connection.attachListeners = stream => {
    // pg listens to this one, and gets all bytes but those of the rows that are read here.
    const others = new EventEmitter()
    attach.call(connection, others)
    const reader = new ChunkReader(others, taker)
    stream.on('data', (chunk: Buffer) => reader.read(chunk))
    stream.on('end', () => others.emit('end'))
  }
}

class ChunkReader {
  readonly #others: EventEmitter
  readonly #taker: () => RowTaker | undefined
  /** The beginning of a header that a chunk ended in. */
  #held: Buffer | undefined
  /** How many bytes of the next chunk belong to a message whose beginning pg has. */
  #owed = 0

  constructor(others: EventEmitter, taker: () => RowTaker | undefined) {
    this.#others = others
    this.#taker = taker
  }

  read(received: Buffer): void {
    const chunk = this.#held ? Buffer.concat([this.#held, received]) : received
    this.#held = undefined
    const { length } = chunk
    const cells = new Cells(chunk)
    // What is before `at` and not before `kept` is for pg.
    let kept = 0
    let at = Math.min(this.#owed, length)
    this.#owed -= at
    while (at + header <= length) {
      const end = at + 1 + (int32(chunk, at + 1) >>> 0)
      if (chunk[at] === dataRow && end <= length) {
        // First what comes before the row: it decides which query is running.
        if (kept < at) this.#others.emit('data', chunk.subarray(kept, at))
        kept = at
        const taker = this.#taker()
        if (taker) {
          taker.takeRow(cells.ofRow(at + header, taker))
          kept = end
        }
      }
      at = end
    }
    if (at > length) this.#owed = at - length
    else if (at < length) this.#held = chunk.subarray(at)
    const end = Math.min(at, length)
    if (kept < end) this.#others.emit('data', chunk.subarray(kept, end))
  }
}

// 64: longer cells are decoded by native code, which is faster per byte and slower per call.
const shortCell = 64
// The first rows of an answer are decoded cell by cell: a slice keeps the text of the whole chunk in memory, and what is kept for long, such
// as credentials, is read row by row.
const rowsBeforeSlices = 3

/** Decodes the cells of a chunk's rows. */
class Cells {
  readonly #chunk: Buffer
  #taker: RowTaker | undefined
  #rows = 0
  /** The chunk as Latin-1, of which ASCII cells are slices. */
  #text = ''

  constructor(chunk: Buffer) {
    this.#chunk = chunk
  }

  /** The cells of the row whose column count is at `at`. */
  ofRow(at: number, taker: RowTaker): (string | null)[] {
    const chunk = this.#chunk
    if (taker !== this.#taker) this.#rows = 0
    this.#taker = taker
    const isSliced = ++this.#rows > rowsBeforeSlices
    if (isSliced) this.#text ||= chunk.toString('latin1')
    const text = this.#text
    const count = (byte(chunk, at) << 8) | byte(chunk, at + 1)
    const cells = new Array<string | null>(count)
    let start = at + 2
    for (let i = 0; i < count; i++) {
      const size = int32(chunk, start)
      start += 4
      // -1: null
      if (size < 0) {
        cells[i] = null
        continue
      }
      const end = start + size
      const isSlice = isSliced && size <= shortCell && isAscii(chunk, start, end)
      cells[i] = isSlice ? text.slice(start, end) : chunk.toString('utf8', start, end)
      start = end
    }
    return cells
  }
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  let all = 0
  for (let at = start; at < end; at++) all |= byte(bytes, at)
  return all < 128
}

// The caller checks that `at` is within the bytes.
const byte = (bytes: Buffer, at: number) => bytes[at] as number

const int32 = (bytes: Buffer, at: number) =>
  (byte(bytes, at) << 24) | (byte(bytes, at + 1) << 16) | (byte(bytes, at + 2) << 8) | byte(bytes, at + 3)
