// The command line of a noun: list, get, create, update and delete.

import { buildCommand, buildRouteMap } from '@stricli/core'
import type { Item, ListPath, PathOf } from '../../../client/endpoints.ts'
import { argument, commonFlags, fieldAliases, fieldFlags, flag, listFlags, text } from '../flags.ts'

export interface NounOf<List extends ListPath> {
  one: string
  many: string
  list: List
  create: PathOf<'post'>
  at: PathOf<'get'> & PathOf<'patch'> & PathOf<'delete'>
  /** The fields that its table shows beside the id. */
  columns: readonly (keyof Item<List> & string)[]
  /** Fields that each of the commands may be given, for `--help`. */
  examples: { list: string; create: string; update: string }
  /** Where a deleted one is brought back. Without it, it is deleted for good. */
  restore?: PathOf<'post'>
  /** Where one is moved to another stage. */
  move?: PathOf<'post'>
}

const id = '01a1fb24-cc37-73f0-a612-214b2776a9d9'
const positional = { kind: 'tuple', parameters: [argument('id', 'Its id')] } as const
const writeFlags = { ...commonFlags, ...fieldFlags, dryRun: flag('Say what would happen, and do nothing') } as const

export function commandsOf<List extends ListPath>(noun: NounOf<List>) {
  const { one, many, examples } = noun
  const list = buildCommand({
    loader: async () => (await import('./run.ts')).listing(noun),
    parameters: { flags: { ...listFlags, ...fieldFlags }, aliases: fieldAliases },
    docs: { brief: `List ${many}`, customUsage: [{ input: examples.list, brief: 'by fields of the query' }] },
  })
  const get = buildCommand({
    loader: async () => (await import('./run.ts')).getting(noun),
    parameters: { flags: commonFlags, positional },
    docs: { brief: `Show a ${one}`, customUsage: [{ input: id, brief: 'by its id' }] },
  })
  const create = buildCommand({
    loader: async () => (await import('./run.ts')).creating(noun),
    parameters: { flags: writeFlags, aliases: fieldAliases },
    docs: { brief: `Add a ${one}`, customUsage: [{ input: examples.create, brief: `prints the ${one}` }] },
  })
  const update = buildCommand({
    loader: async () => (await import('./run.ts')).updating(noun),
    parameters: { flags: writeFlags, aliases: fieldAliases, positional },
    docs: { brief: `Change a ${one}`, customUsage: [{ input: `${id} ${examples.update}`, brief: 'other fields stay as they are' }] },
  })
  const remove = buildCommand({
    loader: async () => (await import('./run.ts')).deleting(noun),
    parameters: { flags: { ...commonFlags, dryRun: writeFlags.dryRun }, positional },
    docs: {
      brief: noun.restore ? `Delete a ${one}` : `Delete a ${one} for good`,
      customUsage: [{ input: id, brief: 'prints what it was' }],
    },
  })
  const restore = buildCommand({
    loader: async () => (await import('./run.ts')).restoring(noun),
    parameters: { flags: { ...commonFlags, dryRun: writeFlags.dryRun }, positional },
    docs: { brief: `Bring a deleted ${one} back`, customUsage: [{ input: id, brief: `prints the ${one}` }] },
  })
  const move = buildCommand({
    loader: async () => (await import('./run.ts')).moving(noun),
    parameters: {
      flags: { ...commonFlags, stage: { ...text('id', 'The id of the stage'), optional: false }, dryRun: writeFlags.dryRun },
      positional,
    },
    docs: { brief: `Move a ${one} to another stage`, customUsage: [{ input: `${id} --stage ${id}`, brief: `prints the ${one}` }] },
  })
  const ofSome = (['restore', 'move'] as const).filter(name => noun[name]).map(name => [name, { restore, move }[name]] as const)
  const routes = { list, get, create, update, delete: remove, ...Object.fromEntries(ofSome) }
  return buildRouteMap({ routes, docs: { brief: `List, show, add, change and delete ${many}` } })
}
