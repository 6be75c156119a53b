// Moves a deal. Somebody else may have changed it since it was shown: another field does not matter, another stage does.

import type { Client } from 'urql'
import { type Failure, failureOf } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import { DealMovesDocument, MoveDealDocument } from '../generated/documents/deal-record.ts'
import type { MoveDealInput } from '../generated/operations.ts'
import type { ActorType } from '../generated/schema.ts'
import { peopleWords } from '../language/en/people.ts'
import type { Deal } from './fields.ts'

/** The deal as the person saw it. */
export type SeenDeal = Pick<Deal, 'id' | 'version' | 'stageId' | 'title' | 'lostReason' | 'stage'>

export type Place = Partial<Pick<MoveDealInput, 'stageId' | 'before' | 'after' | 'lostReason'>>

export type Moved =
  | { kind: 'moved'; deal: Deal }
  | { kind: 'refused'; failure: Failure }
  /** Somebody else has moved it to another stage. */
  | { kind: 'outrun'; deal: Deal; by: string }

// Each attempt names a newer version. More than three changes within a second are made by a program.
const maxAttempts = 3

/** Never rejects. */
export async function moveDeal(client: Client, seen: SeenDeal, place: Place, attempt = 1): Promise<Moved> {
  const input = { id: seen.id, ifVersion: seen.version, ...place }
  const { data, error } = await client.mutation(MoveDealDocument, { input }, { idempotencyKey: newId(), keepalive: true }).toPromise()
  if (data) return { kind: 'moved', deal: data.moveDeal }
  const failure = failureOf(error ?? ({ graphQLErrors: [] } as never))
  // The neighbour has left the stage meanwhile: the deal goes behind the last one.
  if (
    failure.code === 'INVALID' &&
    failure.problems.every(({ path }) => path === 'before' || path === 'after') &&
    (place.before || place.after)
  )
    return moveDeal(client, seen, { ...place, before: null, after: null }, attempt + 1)
  if (failure.code !== 'CONFLICT') return { kind: 'refused', failure }
  const theirs = (await client.query(DealMovesDocument, { id: seen.id }, { requestPolicy: 'network-only' }).toPromise()).data?.deal
  if (!theirs || theirs.deletedAt !== null) return { kind: 'refused', failure }
  if (theirs.stageId === seen.stageId && attempt < maxAttempts) return moveDeal(client, theirs, place, attempt + 1)
  if (theirs.stageId === seen.stageId) return { kind: 'refused', failure }
  return { kind: 'outrun', deal: theirs, by: actorName(theirs.stageChanges[0]?.changedBy) }
}

/** A part of the program has a name that nobody knows. */
export const actorName = (actor: { name: string | null; type: ActorType } | null | undefined): string =>
  (actor?.type !== 'SYSTEM' && actor?.name) || peopleWords.actor[actor?.type ?? 'USER']
