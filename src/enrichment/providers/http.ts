// http: any JSON API. The recipe describes the request, and the path of each field's value in the response.

import { z } from 'zod'
import { fieldNamed, wireName } from '../../kernel/input/case.ts'
import { cutText, shorten } from '../../kernel/input/cut.ts'
import { parsePath, parseTemplate, pathsIn, textToInsert, valueAt } from '../../kernel/input/templates.ts'
import { isSegment, segment } from '../../kernel/outgoing/segment.ts'
import { customKeyOf, isFieldName } from '../targets/field.ts'
import { countryCode } from './country-name.ts'
import { ask, refusalOf, StepError, stillLooking } from './outgoing.ts'
import { type Finding, nothing, type Provider, type StepInput, type Verification, verifications } from './provider.ts'

const path = z.string().refine(text => parsePath(text) !== null, 'is no path such as data.name or items[0].url')
const template = z.string().max(4000)
const verification = z.enum(verifications)
const confidence = z.union([
  z.number().min(0).max(1),
  /** A number in the response, from 0 to `out_of`. */
  z.strictObject({ path, out_of: z.number().positive() }),
])
const proof = z.union([
  verification,
  /** A word in the response, mapped to a verification. */
  z.strictObject({ path, words: z.record(z.string(), verification), otherwise: verification.default('unverified') }),
])
const mapped = z.union([
  path,
  z.strictObject({
    path,
    /** Prepended to values that do not start with it, such as `https://`. */
    prefix: z.string().max(100).optional(),
    confidence: confidence.optional(),
    verification: proof.optional(),
    source_url: path.optional(),
  }),
])

const options = z.strictObject({
  method: z.enum(['GET', 'POST']).default('GET'),
  /** Inserted values are percent-encoded. */
  url: template.regex(/^https?:\/\/[^{}]+/, 'must begin with http:// or https:// and a host'),
  /** Empty parameters are left out. */
  query: z.record(z.string(), template).default({}),
  headers: z.record(z.string(), template).default({}),
  /** Sent as JSON; its texts are templates. */
  body: z.record(z.string(), z.unknown()).optional(),
  /** Statuses that mean that the service has no data for the target. */
  none: z.array(z.number().int().min(400).max(499)).default([404]),
  /** A path that must have a value; otherwise the service has no data. */
  found: path.optional(),
  confidence: confidence.default(0.7),
  verification: proof.default('unverified'),
  source_url: path.optional(),
  /** The path of each field's value in the response. */
  map: z.record(z.string().transform(fieldNamed).refine(isFieldName, 'is no name of a field'), mapped),
})
type Options = z.output<typeof options>

export const http: Provider<Options> = {
  options,
  missing(given, { config }) {
    const absent = secretsIn(given).find(name => !config.recipeSecrets[name])
    return absent === undefined ? null : `RECIPE_SECRET_${absent}`
  },
  isPaid: given => secretsIn(given).length > 0,
  async run({ options: given, context, signal, ...input }) {
    const values = valuesOf({ ...input, secrets: context.services.config.recipeSecrets })
    const url = new URL(fill(given.url, values, inPath))
    for (const [name, text] of Object.entries(given.query)) {
      const value = fill(text, values)
      if (value !== '') url.searchParams.set(name, value)
    }
    const headers = Object.fromEntries(
      Object.entries(given.headers).map(([name, text]) => [name.toLowerCase(), oneLine(fill(text, values))]),
    )
    const answer = await ask(context.services.outgoing, url.href, {
      method: given.method,
      headers: { accept: 'application/json', ...(given.body && { 'content-type': 'application/json' }), ...headers },
      ...(given.body && { body: JSON.stringify(fillDeep(given.body, values)) }),
      signal,
    })
    if (given.none.includes(answer.status)) return nothing()
    if (answer.status < 200 || answer.status > 299) throw refusalOf(url.host, answer)
    const findings = answer.body.length === 0 ? [] : findingsUnlessEmpty(answer.json(), given)
    // The provider has not finished: no findings yet does not mean that there are none.
    if (findings.length === 0 && answer.status === stillLooking) throw refusalOf(url.host, answer)
    return { findings }
  },
}

/** The names of the secrets that a step uses. */
const secretsIn = ({ url, query, headers, body }: Options): string[] =>
  [url, ...Object.values(query), ...Object.values(headers), ...textsIn(body)]
    .flatMap(pathsIn)
    .flatMap(path => (path?.[0] === 'secrets' && path[1] !== undefined ? [String(path[1])] : []))

function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  return part !== null && typeof part === 'object' ? Object.values(part).flatMap(textsIn) : []
}

function valuesOf({
  facts,
  target,
  secrets,
}: Pick<StepInput<Options>, 'facts' | 'target'> & { secrets: Readonly<Record<string, string>> }) {
  const custom: Record<string, unknown> = {}
  const values: Record<string, unknown> = { custom, secrets, target: { host_app: target.hostApp, id: target.id, kind: target.kind } }
  for (const [field, value] of Object.entries(facts)) {
    const key = customKeyOf(field)
    if (key !== null) custom[key] = value
    else if (!Object.hasOwn(values, wireName(field))) values[wireName(field)] = value
  }
  return values
}

function fillDeep(part: unknown, values: unknown): unknown {
  if (typeof part === 'string') return fill(part, values)
  if (Array.isArray(part)) return part.map(item => fillDeep(item, values))
  if (part === null || typeof part !== 'object') return part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fillDeep(value, values)]))
}

/** Fills a template in one pass, so that placeholders in inserted values are not filled. Placeholders that are not paths are kept. */
const fill = (template: string, values: unknown, encode: (text: string) => string = text => text): string =>
  parseTemplate(template)
    .map(part => (typeof part === 'string' ? part : part.path ? encode(textToInsert(valueAt(values, part.path))) : part.text))
    .join('')

// `.` and `..` stay what they are when they are encoded, and would lead to another path.
function inPath(text: string): string {
  if (!isSegment(text)) throw new StepError(`The address cannot contain "${cutText(text, 100)}"`)
  return segment(text)
}

const read = (content: unknown, path: string): unknown => {
  const parsed = parsePath(path)
  return parsed ? valueAt(content, parsed) : undefined
}

const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, ' ')
const isNothing = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const findingsUnlessEmpty = (content: unknown, given: Options): Finding[] =>
  given.found !== undefined && isNothing(read(content, given.found)) ? [] : findingsIn(content, given)

function findingsIn(content: unknown, given: Options): Finding[] {
  return Object.entries(given.map).flatMap(([field, entry]) => {
    const place = typeof entry === 'string' ? { path: entry } : entry
    const found = read(content, place.path)
    if (isNothing(found) || typeof found === 'object') return []
    const value = spellValue(field, found, place.prefix)
    if (value === null) return []
    const source = read(content, place.source_url ?? given.source_url ?? '')
    return [
      {
        field,
        value,
        confidence: confidenceIn(content, place.confidence ?? given.confidence),
        verification: verificationIn(content, place.verification ?? given.verification),
        sourceUrl: typeof source === 'string' && /^https?:\/\//.test(source) ? source : null,
        evidence: `${place.path}: ${shorten(String(found), 500)}`,
      },
    ]
  })
}

function spellValue(field: string, found: unknown, prefix: string | undefined): unknown {
  if (typeof found !== 'string') return found
  if (field === 'country') return countryCode(found)
  return prefix !== undefined && !found.startsWith(prefix) ? prefix + found : found
}

function confidenceIn(content: unknown, given: z.output<typeof confidence>): number {
  if (typeof given === 'number') return given
  const number = Number(read(content, given.path))
  return Number.isFinite(number) ? Math.min(1, Math.max(0, number / given.out_of)) : 0.5
}

function verificationIn(content: unknown, given: z.output<typeof proof>): Verification {
  if (typeof given === 'string') return given
  const word = read(content, given.path)
  return typeof word === 'string' && Object.hasOwn(given.words, word) ? (given.words[word] ?? given.otherwise) : given.otherwise
}
