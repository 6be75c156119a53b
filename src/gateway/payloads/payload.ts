// The log of the last payloads of mapped hooks, which shows why a mapping does not do its work. Logged payloads make no events.

import type { HookPayloadModel } from '../../generated/prisma/models.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { parseJson } from '../../kernel/input/json-text.ts'
import { storableText } from '../../kernel/input/storable.ts'
import type { ListArgs, Page } from '../../kernel/lists/pagination.ts'
import { gatewayOf, gatewayOrganization } from '../organization.ts'
import { pageById } from '../sessions/lists.ts'
import { insertPayload, keptPayload } from './payload.sql.ts'

export type HookPayload = HookPayloadModel

interface Received {
  hook: string
  mapping: string | null
  status: number
  error: string | null
  /** Without credentials. */
  headers: Readonly<Record<string, string>>
  /** The payload, or the text of a body that could not be parsed. */
  payload: object | string
}

// 10 of a hook in a second of a process: more would double the writes of a flood, and nobody reads them.
const keptInSecond = 10
// Longer payloads are kept as the beginning of their text.
const maxCharacters = 16_384
const maxHeaderCharacters = 1000

/** A function that keeps payloads. It never rejects: a payload that cannot be kept is logged without its content. */
export function keepPayload(services: Services): (received: Received) => Promise<void> {
  const counts = new Map<string, number>()
  let second = 0
  return async ({ hook, mapping, status, error, headers, payload }) => {
    const current = Math.floor(services.now().getTime() / 1000)
    if (current !== second) {
      second = current
      counts.clear()
    }
    const count = (counts.get(hook) ?? 0) + 1
    counts.set(hook, count)
    if (count > keptInSecond) return
    try {
      const text = typeof payload === 'string' ? JSON.stringify(redactText(payload)) : JSON.stringify(payload, redact)
      const isTruncated = text.length > maxCharacters
      const row = {
        ...{ id: newId(), orgId: await gatewayOrganization(services), hook, mapping, status },
        error: error === null ? null : cutText(error, maxHeaderCharacters),
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cutText(value, maxHeaderCharacters)])),
        payload: isTruncated ? cutText(text, maxCharacters) : parseJson(text),
        ...{ isTruncated, receivedAt: services.now().toISOString() },
      }
      await services.database.query(insertPayload, keptPayload.of(row))
    } catch (cause) {
      services.log.warn({ err: cause, hook }, 'the payload of a hook could not be kept')
    }
  }
}

const secretName = /authorization|cookie|token|secret|api[_-]?key|password|passwd|signature|credential|card|cvc|iban|ssn/i

// A body that could not be parsed has no fields, so the text behind a secret's name is redacted.
const secretText = new RegExp(`((?:${secretName.source})[\\w-]{0,20}["']?\\s{0,3}[:=>]\\s{0,3}["']?)[^\\s"'&,;<}]+`, 'gi')
const redactText = (text: string) => storableText(cutText(text, maxCharacters + 1)).replace(secretText, '$1[redacted]')

const redact = (name: string, value: unknown): unknown => (secretName.test(name) ? '[redacted]' : value)

/** Throws FORBIDDEN in any organization but the gateway's. */
export async function listPayloads(
  context: Context,
  { hook = null, ...args }: ListArgs & { hook?: string | null },
): Promise<Page<HookPayload>> {
  await gatewayOf(context)
  const wanted = hook === null ? {} : { hook }
  return pageById(context, args, `hook payloads ${hook}`, {
    find: ({ where, ...page }) => context.db.prisma.hookPayload.findMany({ ...page, where: { ...where, ...wanted } }),
    count: ({ prisma }, where) => prisma.hookPayload.count({ where: { ...where, ...wanted } }),
  })
}
