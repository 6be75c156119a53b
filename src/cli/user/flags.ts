// Flags that commands of users share.

import { CommandError, exitStatus } from '../terminal.ts'
import type { OutputFlags } from './output/print.ts'
import type { ServerFlags } from './session/server.ts'

/** Flags of every command that asks a server and prints its answer. */
export interface CommonFlags extends ServerFlags, OutputFlags {}

/** The flags of a list. */
export interface ListFlags extends CommonFlags {
  limit: number
  all?: boolean
}

export const text = (placeholder: string, brief: string) => ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const
export const texts = (placeholder: string, brief: string) => ({ ...text(placeholder, brief), variadic: true }) as const
export const flag = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const
export const argument = (placeholder: string, brief: string) => ({ parse: String, brief, placeholder }) as const

export const serverFlags = {
  url: text('address', 'The server. Default: ROLOCOM_URL, the server of the last login, http://127.0.0.1:4000'),
  org: text('id', 'The organization, for those who are in several. Default: ROLOCOM_ORG'),
} as const
export const commonFlags = { ...serverFlags, json: flag('JSON, which is what a pipe gets anyway') } as const
export const fieldFlags = {
  field: texts('name=text', 'A field; may be repeated'),
  typedField: texts('name=value', 'A field that is a number, true, false, null, or @file; may be repeated'),
} as const
export const fieldAliases = { f: 'field', F: 'typedField' } as const
export const listFlags = {
  ...commonFlags,
  limit: { kind: 'parsed', parse: wholeNumber, brief: 'How many at most', placeholder: 'n', default: '50' },
  all: flag('All of them'),
} as const

function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new CommandError(`"${given}" is not a whole number above 0`, exitStatus.usage)
  return Number(given)
}
