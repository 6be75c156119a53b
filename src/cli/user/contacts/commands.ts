// The command line of `rolocom contacts`.

import { buildCommand, buildRouteMap } from '@stricli/core'
import { CommandError, exitStatus } from '../../terminal.ts'
import { argument, commonFlags, flag, listFlags, text, texts } from '../flags.ts'
import type { Stage } from './fields.ts'

const stages = ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist', 'other'] as const satisfies readonly Stage[]
const onConflicts = ['update', 'skip'] as const
const delimiters = ['comma', 'semicolon', 'tab', 'pipe'] as const
const encodings = [
  ...(['utf_8', 'utf_16le', 'utf_16be', 'windows_1252', 'windows_1250', 'windows_1251', 'windows_1253', 'windows_1254'] as const),
  ...(['windows_1255', 'windows_1256', 'windows_1257', 'windows_874', 'macintosh', 'shift_jis', 'gb18030'] as const),
  'euc_kr',
] as const

const list = buildCommand({
  loader: async () => (await import('./list.ts')).list,
  parameters: {
    flags: {
      ...listFlags,
      search: text('words', 'Every word occurs in a name, address, number or company'),
      stage: { kind: 'enum', values: stages, brief: 'In this lifecycle stage; may be repeated', optional: true, variadic: true },
      tag: texts('tag', 'With this tag; may be repeated'),
      deleted: flag('Deleted ones instead, without those that were merged'),
    },
    aliases: { q: 'search' },
  },
  docs: {
    brief: 'List contacts',
    customUsage: [
      { input: '-q ada', brief: 'those with this word' },
      { input: '--stage lead --stage customer --all --json', brief: 'all of two stages, as JSON' },
    ],
  },
})

const get = buildCommand({
  loader: async () => (await import('./get.ts')).get,
  parameters: {
    flags: commonFlags,
    positional: { kind: 'tuple', parameters: [argument('contact', 'Its id, or its email address')] },
  },
  docs: {
    brief: 'Show a contact',
    customUsage: [{ input: 'ada@example.com', brief: 'by its address' }],
  },
})

const create = buildCommand({
  loader: async () => (await import('./create.ts')).create,
  parameters: {
    flags: {
      ...commonFlags,
      email: { kind: 'parsed', parse: String, brief: 'Email address', placeholder: 'address' },
      firstName: text('name', 'First name'),
      lastName: text('name', 'Last name'),
      phone: text('number', 'Telephone number, +442079460958'),
      company: text('name', 'Company'),
      jobTitle: text('title', 'Job title'),
      stage: { kind: 'enum', values: stages, brief: 'Lifecycle stage. Default: subscriber', optional: true },
      tag: texts('tag', 'A tag; may be repeated'),
      field: texts('name=value', 'Another field, as REST calls it; may be repeated'),
      onConflict: {
        kind: 'enum',
        values: onConflicts,
        brief: 'Action where the address is in use. Default: fail',
        optional: true,
      },
      dryRun: flag('Say what would happen, and do nothing'),
    },
    aliases: { f: 'field' },
  },
  docs: {
    brief: 'Add a contact',
    customUsage: [
      { input: '--email ada@example.com --first-name Ada --tag vip', brief: 'prints the contact' },
      { input: '--email ada@example.com -f city=London --on-conflict update', brief: 'or changes the one with this address' },
    ],
  },
})

const importFile = buildCommand({
  loader: async () => (await import('./import.ts')).importFile,
  parameters: {
    flags: {
      ...commonFlags,
      watch: flag('Wait for its end, and show how far it is'),
      onConflict: {
        kind: 'enum',
        values: onConflicts,
        brief: 'Action for rows whose address is in use',
        optional: true,
      },
      headerRow: {
        kind: 'parsed',
        parse: rowNumber,
        brief: 'The row with the headers, from 1; 0 for none. Default: it is found',
        placeholder: 'row',
        optional: true,
      },
      delimiter: { kind: 'enum', values: delimiters, brief: 'Separator of the cells. Default: it is found', optional: true },
      encoding: { kind: 'enum', values: encodings, brief: 'The encoding of the file. Default: it is found', optional: true },
      map: texts('column=field', 'Which field a column is, by its header; may be repeated. Default: what the headers suggest'),
    },
    positional: { kind: 'tuple', parameters: [argument('file', 'A CSV file, or - for standard input')] },
  },
  docs: {
    brief: 'Import contacts from a CSV file',
    customUsage: [
      { input: 'contacts.csv --watch', brief: 'with a progress bar; ends with 1 if the import failed' },
      { input: 'report.csv --header-row 4 --delimiter semicolon', brief: 'where notes stand above the headers' },
      { input: 'contacts.csv --map "E-Mail=email" --map "Plan=custom.plan"', brief: 'with these columns alone' },
    ],
  },
})

function rowNumber(given: string): number {
  if (!/^\d{1,5}$/.test(given))
    throw new CommandError(`"${given}" is not the number of a row; 0 says that there are no headers`, exitStatus.usage)
  return Number(given)
}

export const contacts = buildRouteMap({
  routes: { list, get, create, import: importFile },
  docs: { brief: 'List, show, add and import contacts' },
})
