// Prints results: a table or lines for a person at a terminal, JSON for everything else.

import { stripVTControlCharacters, styleText } from 'node:util'
import type { Terminal } from '../../terminal.ts'

export interface OutputFlags {
  /** JSON, also at a terminal. */
  json?: boolean
}

type Style = Parameters<typeof styleText>[0]

/** Whether a person reads the result. */
export const isForPeople = ({ process }: Terminal, { json }: OutputFlags): boolean => process.stdout.isTTY === true && json !== true

export const printJson = ({ process }: Terminal, value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
/** One object a line, for a result without an end. */
export const printJsonLine = ({ process }: Terminal, value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)
export const printLine = ({ process }: Terminal, text: string): void => void process.stdout.write(`${text}\n`)
/** Prints messages beside the result, so that a pipe gets the result alone. */
export const say = ({ process }: Terminal, text: string): void => void process.stderr.write(`${text}\n`)

/** The text in a color, unless the output is no terminal or NO_COLOR is set. */
export const inStyle = ({ process }: Terminal, style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout, validateStream: true })

/** A value as a person reads it on one line. Control characters, with which data could move the cursor or color the screen, are removed. */
export function displayText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return stripVTControlCharacters(text)
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
}

/** `2026-11-23T01:30:00.000Z` as `2026-11-23 01:30`, in UTC. */
export const minute = (time: string | null | undefined): string => (time ? time.slice(0, 16).replace('T', ' ') : '')
