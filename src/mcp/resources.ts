// Resources over MCP: a contact, a call with its transcript, a suggestion, each read through the schema as the key.

import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { execute, prepare } from '../graphql/execute/run.ts'
import type { Context } from '../kernel/context.ts'
import { cutText } from '../kernel/input/cut.ts'
import { scopesOf } from '../kernel/principal.ts'
import { allows, type Entry, entriesNamed } from '../tools/entries.ts'

export interface McpResources {
  /** The kinds of resources that the caller's scopes allow. Single ones are found with tools. */
  templates(context: Context): ResourceTemplateType[]
  /** Rejects for an address that the caller may not read, or that names nothing. */
  read(context: Context, uri: string): Promise<ReadResourceResult>
}

const address = /^rolocom:\/\/(\w{1,32})\/([\w-]{1,64})$/

/** The address of a resource. */
export const uriOf = (kind: 'contact' | 'call' | 'suggestion', id: string): string => `rolocom://${kind}/${id}`

export function createResources(): McpResources {
  let known: Map<string, Entry> | undefined
  const entries = () => (known ??= entriesNamed('McpResource'))

  return {
    templates: ({ principal }) =>
      [...entries().values()]
        .filter(entry => allows(scopesOf(principal), entry))
        .map(({ name, description }) => ({ name, description, uriTemplate: `rolocom://${name}/{id}`, mimeType: 'application/json' })),
    async read(context, uri) {
      const [, kind = '', id = ''] = address.exec(uri) ?? []
      const entry = entries().get(kind)
      if (!entry || !allows(scopesOf(context.principal), entry)) throw new ResourceNotFoundError(cutText(uri, 200))
      const { data, errors } = await execute(prepare(entry.document), context, { id })
      const [error] = errors ?? []
      if (error?.extensions.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri)
      if (error) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { code: error.extensions.code })
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(Object.values(data ?? {})[0]) }] }
    },
  }
}
