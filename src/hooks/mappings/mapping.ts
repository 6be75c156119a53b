// Mapped hooks: which mapping handles a request, and the wakes and runs that it makes.

import { hash } from 'node:crypto'
import type { Mapping } from '../../config/gateway/mappings.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Path, parsePath, pathsIn, valueAt } from '../../kernel/input/templates.ts'
import { signedHeaders } from '../authentication/signatures.ts'
import { checkStorable, type Payload } from '../body.ts'
import { type AgentPayload, agentPayload, type WakePayload, wakePayload } from '../payloads.ts'
import { compileTemplate, type Template, type TemplateScope } from './templates.ts'
import type { TransformInput, Transforms } from './transforms.ts'

/** A request with the credentials removed from its headers, query and URL. */
export interface MappedRequest {
  /** The hook's name. */
  path: string
  /** The URL without its token. */
  url: string
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  payload: Payload
  now: string
}

/**
 * A wake or run that a mapping makes of a request, or of one element of it. Of the actions with the same `key`, only the first is executed.
 */
export type Action = { key: string | null } & ({ kind: 'wake'; payload: WakePayload } | { kind: 'agent'; payload: AgentPayload })

export interface CompiledMapping {
  mapping: Mapping
  /** Whether the mapping can handle requests with this name. */
  mayOwn(path: string): boolean
  /** Whether the mapping handles this request. */
  owns(request: { headers: Readonly<Record<string, string | string[] | undefined>>; payload: Payload }): boolean
  /** The actions of the request; none if the transform returns null. Throws INVALID. */
  actions(request: MappedRequest, transforms: Transforms | null): Promise<Action[]>
}

// 100: larger than the batches of known senders. Each element becomes a separate run.
const maxElements = 100

const templated = ['name', 'sessionKey', 'to', 'model'] as const

/** Compiles a mapping. Throws an error with a sentence if one of its templates or paths is invalid. */
export function compileMapping(mapping: Mapping): CompiledMapping {
  const { match } = mapping
  const where = Object.entries(match.where ?? {}).map(([text, values]) => ({ path: pathOf(text, 'match.where'), values: listOf(values) }))
  const headers = Object.entries(match.headers ?? {}).map(([name, values]) => ({ name, values: listOf(values) }))
  const forEach = mapping.forEach === undefined ? null : pathOf(mapping.forEach, 'forEach')
  const body = template(mapping.action === 'wake' ? mapping.textTemplate : mapping.messageTemplate)
  const key = unsignedPathsIn(mapping).length > 0 ? null : template(mapping.idempotencyKey)
  // Unsigned headers may decide which mapping handles a signed request, so the key is scoped to the secret and not to the mapping.
  const keyScope = mapping.auth?.hmac ? hash('sha256', mapping.auth.hmac.secret, 'base64url').slice(0, 22) : mapping.id
  const fields = templated.flatMap(name => {
    const compiled = template(mapping[name])
    return compiled ? [{ name, compiled }] : []
  })

  const baseOf = (scope: TemplateScope): Record<string, unknown> => {
    if (mapping.action === 'wake') return { text: body?.(scope) ?? '', mode: mapping.wakeMode ?? 'now' }
    const base: Record<string, unknown> = { message: body?.(scope) ?? '' }
    // A field whose template has an empty result is absent.
    for (const { name, compiled } of fields) {
      const text = compiled(scope).trim()
      if (text !== '') base[name] = text
    }
    for (const name of ['agentId', 'deliver', 'channel', 'thinking', 'timeoutSeconds', 'wakeMode'] as const)
      if (mapping[name] !== undefined) base[name] = mapping[name]
    return base
  }

  const actionOf = async (request: MappedRequest, scope: TemplateScope, transforms: Transforms | null): Promise<Action | null> => {
    let kind: 'wake' | 'agent' = mapping.action
    let fields = baseOf(scope)
    if (mapping.transform) {
      if (!transforms) throw new AppError('INVALID', 'Transforms are switched off')
      const input: TransformInput = { ...scope, url: request.url }
      const overlay = overlayOf(await transforms.run(mapping.transform, input), mapping.id)
      if (overlay === null) return null
      const { kind: wanted, ...given } = overlay
      if (wanted !== undefined && wanted !== 'wake' && wanted !== 'agent')
        throw new AppError('INVALID', `The transform of mapping ${mapping.id} answered a kind that is neither wake nor agent`)
      // The fields for the other kind of action do not apply, so they are dropped.
      if (wanted !== undefined && wanted !== kind) [kind, fields] = [wanted, {}]
      fields = { ...fields, ...given }
    }
    const repeat = key?.(scope).trim()
    const common = { key: repeat ? `${keyScope}:${repeat}` : null }
    return kind === 'wake'
      ? { ...common, kind, payload: nameInErrors(mapping, () => wakePayload(fields)) }
      : { ...common, kind, payload: nameInErrors(mapping, () => agentPayload(fields)) }
  }

  return {
    mapping,
    mayOwn: path => match.path === undefined || match.path === path,
    owns: ({ headers: given, payload }) =>
      headers.every(({ name, values }) => {
        const value = given[name]
        return typeof value === 'string' && values.includes(value)
      }) &&
      (match.source === undefined || valueAt(payload, ['source']) === match.source) &&
      where.every(({ path, values }) => values.some(value => value === (valueIn(payload, path) ?? null))),
    async actions(request, transforms) {
      const { path, headers, query, payload, now } = request
      const scope: TemplateScope = { path, headers, query, payload, now }
      if (!forEach) return present([await actionOf(request, scope, transforms)])
      const items = valueIn(payload, forEach)
      if (!Array.isArray(items)) throw new AppError('INVALID', `${mapping.forEach}: must be a list`)
      if (items.length > maxElements) throw new AppError('INVALID', `${mapping.forEach}: must have at most ${maxElements} elements`)
      const made: (Action | null)[] = []
      for (const [index, item] of items.entries()) made.push(await actionOf(request, { ...scope, item, index }, transforms))
      return present(made)
    },
  }
}

/** Placeholders of `idempotencyKey` that read unsigned data, which a replay could change. */
export function unsignedPathsIn({ auth, idempotencyKey = '' }: Mapping): string[] {
  const scheme = auth?.hmac?.scheme
  if (!scheme) return []
  return pathsIn(idempotencyKey).flatMap(path => {
    const [root, name, ...rest] = path ?? []
    const isUnsigned =
      root === 'headers'
        ? !signedHeaders[scheme].includes(String(name).toLowerCase()) || rest.length > 0
        : root === 'query' || ((root === 'path' || root === 'now') && name === undefined)
    return isUnsigned ? [`{{${path?.join('.')}}}`] : []
  })
}

// As in templates, `payload` is the payload itself, which may be a list, unless that has a field of this name.
const valueIn = (payload: Payload, path: Path): unknown =>
  path[0] === 'payload' && !Object.hasOwn(payload, 'payload') ? valueAt(payload, path.slice(1)) : valueAt(payload, path)

const present = (actions: readonly (Action | null)[]): Action[] => actions.filter(action => action !== null)
const listOf = <Item>(value: Item | readonly Item[]): readonly Item[] => (Array.isArray(value) ? value : [value as Item])
const template = (text: string | undefined): Template | null => (text === undefined ? null : compileTemplate(text))

function pathOf(text: string, setting: string): Path {
  const path = parsePath(text)
  if (!path) throw new Error(`${setting}: "${text}" is no path like a.b[0].c`)
  return path
}

function overlayOf(answer: unknown, id: string): Record<string, unknown> | null {
  if (answer === null) return null
  if (answer === undefined) return {}
  if (typeof answer !== 'object' || Array.isArray(answer))
    throw new AppError('INVALID', `The transform of mapping ${id} answered neither null nor an object`)
  checkStorable(answer, '')
  return answer as Record<string, unknown>
}

// The error is caused by the mapping and not by the sender's payload, so the message names the mapping.
function nameInErrors<Payload>(mapping: Mapping, make: () => Payload): Payload {
  try {
    return make()
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.code, `Mapping ${mapping.id} made of this payload: ${error.message}`)
    throw error
  }
}
