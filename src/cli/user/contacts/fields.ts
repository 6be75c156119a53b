// The fields of a contact: as they are printed, and as `-f name=value` gives them.

import type { Answer } from '../../../client/endpoints.ts'
import type { components } from '../../../client/generated/api.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { isForPeople, printJson } from '../output/print.ts'
import { printFields } from '../output/table.ts'

export type Contact = Answer<'get', '/api/crm/v1/contacts/{contact_id}'>

export type Stage = components['schemas']['LifecycleStage']

/** Prints the fields that it has, custom ones included. */
export function printContact(terminal: Terminal, flags: CommonFlags, contact: Contact): void {
  if (!isForPeople(terminal, flags)) return void printJson(terminal, contact)
  const { custom, tags, ...fields } = contact
  printFields(terminal, [
    ...Object.entries(fields),
    ['tags', tags.join(', ')],
    ...Object.entries(custom).map(([key, value]) => [`custom.${key}`, value] as const),
  ])
}

/** `name=value` as a pair. Throws CommandError without a name or `=`. */
export function pairOf(given: string): [name: string, value: string] {
  const at = given.indexOf('=')
  if (at < 1) throw new CommandError(`"${given}" must look like name=value`, exitStatus.usage)
  return [given.slice(0, at), given.slice(at + 1)]
}
