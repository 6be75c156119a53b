// graphql: runs a document with its variables, and prints the answer.

import { text as read } from 'node:stream/consumers'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import { printJson } from '../output/print.ts'
import { graphqlError, requestGraphql } from '../session/graphql.ts'
import type { ServerFlags } from '../session/server.ts'
import { type FieldFlags, fieldsOf, textOf } from './fields.ts'

export interface Flags extends ServerFlags, FieldFlags {
  file?: string
  variables?: string
}

export async function graphql(this: Terminal, flags: Flags, document?: string): Promise<void> {
  if (document !== undefined && flags.file !== undefined) throw new CommandError('Give a document or --file, not both', exitStatus.usage)
  const isPiped = document === undefined && flags.file === undefined
  if (isPiped && flags.variables === '-')
    throw new CommandError('Standard input is the document or the variables, not both', exitStatus.usage)
  const query = document ?? (flags.file === undefined ? await read(this.process.stdin) : textOf(flags.file))
  if (query.trim() === '') throw new CommandError("The document is empty: rolocom graphql '{ me { name } }'", exitStatus.usage)
  const variables = { ...(await variablesOf(this, flags.variables)), ...fieldsOf(flags) }
  const { answer, status, requestId } = await requestGraphql(this, flags, { query, variables })
  printJson(this, answer)
  const [error] = answer.errors ?? []
  if (error) throw graphqlError(error, status, requestId)
}

async function variablesOf({ process }: Terminal, path: string | undefined): Promise<object> {
  if (path === undefined) return {}
  const text = path === '-' ? await read(process.stdin) : textOf(path)
  let variables: unknown
  try {
    variables = JSON.parse(text)
  } catch (error) {
    throw new CommandError(`The variables are not JSON: ${error instanceof Error ? error.message : String(error)}`, exitStatus.usage)
  }
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables))
    throw new CommandError('The variables are not an object such as {"n": 3}', exitStatus.usage)
  return variables
}
