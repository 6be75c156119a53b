// Nouns declare themselves: who may read each, how it is loaded by its id, and where else it appears.

import type { Context } from '../context.ts'
import { type Batch, load } from '../dataloaders.ts'
import type { OutboxEvent } from '../events/event.sql.ts'
import { isAllowed, type Scope } from '../principal.ts'
import type { Hit } from '../search/snippet.ts'
import type { SearchQuery } from '../search/words.ts'
import { declarations, whenSealed } from './declared.ts'
import { allEvents, type DeclaredEvent, type EventType, entityOf, isDeclared } from './events.ts'

type Told = Pick<OutboxEvent, 'entity' | 'entityId' | 'changes'>

/** Readers of a noun: callers with a scope, or, where no API key may read it, callers for whom `mayRead` is true. */
type Readers = { scope: Scope; mayRead?: never } | { scope?: never; mayRead: (context: Context) => boolean }

export type NounOptions<Row extends object = object> = Readers & {
  /** Whether the caller may see an event. Default: who may read the noun may see all events of the organization. */
  isOwn?: (context: Context, event: Told) => Promise<boolean>
  /** The rows with the ids, deleted or not; null for rows that are gone. `node` finds nouns that have this. */
  load?: Batch<string, Row | null>
  /** The only row that the caller has, where ids do not tell rows apart. */
  loadOwn?: (context: Context) => Promise<Row>
  /** Set if its ids come from the identity provider, whose ids need not be UUIDs. */
  hasTextId?: true
  /** The noun that the stream names in the place of this one, and its id. */
  standsFor?: (event: Told) => { noun: string; id: string }
  /** Whether timelines of contacts show its events. */
  isInTimelines?: true
  /** How `search` finds it. Default: not at all. */
  search?: Search
  /** The place in lists of nouns: lower ranks come first, equal ranks by name. `node` tries nouns in this order. Default: 100. */
  rank?: number
}

export interface Search {
  /** The searched objects and texts: `Notes about contacts, by their text`. */
  description: string
  find(context: Context, query: SearchQuery, first: number): Promise<Hit<{ id: string }>[]>
}

export type Noun = Omit<NounOptions, 'mayRead' | 'scope' | 'rank'> & {
  /** Its name in events. */
  name: string
  /** The name of its type in the schema. Null: it has none, and its events have no entity. */
  typename: string | null
  scope: Scope | null
  mayRead(context: Context): boolean
  rank: number
}

const nouns = declarations<Noun>('noun')

/** Users of the organization, but no API keys or guests. */
export const users = ({ principal }: Context): boolean => principal.kind === 'session'
/** Nobody: events of the noun are recorded, and no stream, webhook or receipt has them. */
export const nobody = (): boolean => false

/** Declares a noun. Types declare themselves by `noun()` of graphql/schema. */
export function declareNoun(name: string, typename: string | null, { scope, mayRead, rank = 100, ...options }: NounOptions): void {
  const readers = scope ? { scope, mayRead: ({ principal }: Context) => isAllowed(principal, scope) } : { scope: null, mayRead }
  nouns.add(name, { ...options, ...readers, name, typename, rank })
}

let ranked: readonly Noun[] | undefined
/** All nouns, by rank and name. */
export function allNouns(): readonly Noun[] {
  ranked ??= [...nouns.all().values()].toSorted((one, other) => one.rank - other.rank)
  return ranked
}

export const nounNamed = (name: string): Noun | undefined => nouns.all().get(name)

/** The names of the nouns that the caller may read. */
export const readableNouns = (context: Context): string[] => allNouns().flatMap(noun => (noun.mayRead(context) ? [noun.name] : []))

/** The events that streams, webhooks and receipts may have. */
export const toldEvents = (): DeclaredEvent[] => allEvents().filter(({ entity }) => isTold(entity))
/** Whether the text is the type of such an event. */
export const isToldType = (text: string): text is EventType => isDeclared(text) && isTold(entityOf(text))

const isTold = (name: string) => nounNamed(name)?.mayRead !== nobody

/** Whether the caller may read the event. */
export async function mayReadEvent(context: Context, event: Told): Promise<boolean> {
  const noun = nounNamed(event.entity)
  return noun?.mayRead(context) === true && (!noun.isOwn || noun.isOwn(context, event))
}

/** The row with the id and the name of its type; null for one that is gone, and for a noun without rows. */
export async function loadNoun(context: Context, noun: Noun, id: string): Promise<object | null> {
  const row = noun.load ? await load(context, noun.load, id) : await noun.loadOwn?.(context)
  return row ? { ...row, __typename: noun.typename } : null
}

whenSealed(() => {
  const unknown = new Set(allEvents().flatMap(({ entity }) => (nouns.all().has(entity) ? [] : [entity])))
  if (unknown.size > 0) throw new Error(`These nouns have events, and no \`noun()\` says who may read them: ${[...unknown].join(', ')}`)
})
