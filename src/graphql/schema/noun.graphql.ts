// GraphQL: a noun declares itself beside its type. Unions, `node`, streams, timelines, webhooks and search follow from that.

import type { ObjectRef } from '@pothos/core'
import { allNouns, declareNoun, type Noun, type NounOptions } from '../../kernel/nouns/nouns.ts'
import type { builder } from './builder.ts'

type TypeOf<Row> = ObjectRef<typeof builder.$inferSchemaTypes, Row>

const types = new Map<string, TypeOf<object>>()

/** Declares a noun by its name in events. Without a type its events have no entity. */
export function noun<Row extends object>(name: string, type: TypeOf<Row> | null, options: NounOptions<NoInfer<Row>>): void {
  declareNoun(name, type?.name ?? null, options)
  if (type) types.set(name, type)
}

/** The types of a union, of the wanted nouns. Read when the schema is built. */
export const typesOf = (isWanted: (noun: Noun) => boolean) => (): TypeOf<object>[] =>
  allNouns().flatMap(noun => (isWanted(noun) ? (types.get(noun.name) ?? []) : []))
