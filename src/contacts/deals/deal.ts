// Deals: every change increments the version and writes an event, and every stage that a deal comes into is kept.

import { isDeepStrictEqual } from 'node:util'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, grouped, inOrder } from '../../kernel/dataloaders.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { problem } from '../../kernel/input/problem.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { changing, nextVersion } from '../../kernel/input/version.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { actorOf } from '../../kernel/principal.ts'
import type { Stage } from '../pipelines/row.ts'
import { sourceOf } from '../records/source.ts'
import { remindOfRestored } from '../tasks/reminder-queue.ts'
import { checkDeal, checkReason, usualCurrency } from './check.ts'
import { contactsOfDeals, insertContacts, removeContacts } from './contacts.sql.ts'
import {
  anyDeal,
  dealAt,
  dealsById,
  insertDeal,
  inserted,
  insertStageChanges,
  lockDeal,
  lockLiveDeal,
  type StageChange,
  stageChangeRecord,
  stageChangesOfDeals,
  updateDealRow,
  updated,
} from './deal.sql.ts'
import { applyTo, type DealInput, type DealPatch, differences, searchTextOf, startingFrom } from './input.ts'
import { placeIn } from './moves/place.ts'
import { outcomeIn, stageFor } from './moves/stage.ts'
import { type Deal, type DealContact, dealEvents } from './row.ts'

export interface Expected {
  id: string
  ifVersion?: number | null
}

/** A deal by its id. Throws NOT_FOUND. `evenDeleted`: finds deleted ones, too. */
export async function getDeal(context: Context, id: string, { evenDeleted = false } = {}): Promise<Deal> {
  const orgId = organizationOf(context)
  const deal = isId(id) ? await dealAt(context, orgId, id) : undefined
  if (!deal || (deal.deletedAt !== null && !evenDeleted)) throw notFound('deal', id)
  return deal
}

/** Loads deals by id, deleted ones included. */
export const loadDeals: Batch<string, Deal | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(dealsById, [organizationOf(context), ids]), deal => deal.id)

/** The ways of deals through the stages, newest first. */
export const loadStageChanges: Batch<string, StageChange[]> = async (context, ids) =>
  grouped(ids, await context.db.query(stageChangesOfDeals, [organizationOf(context), ids]), ({ dealId }) => dealId)

export interface NewDeal extends DealInput {
  /** Default: the first one, or the pipeline of the stage. */
  pipelineId?: string | null
  /** Default: the first open one of the pipeline. */
  stageId?: string | null
}

/** Adds a deal, as the last one of its stage. Throws INVALID. */
export async function createDeal(context: Context, { pipelineId, stageId, ...input }: NewDeal): Promise<Deal> {
  const orgId = organizationOf(context)
  const changes = await checkDeal(context, orgId, input, (input.title ?? null) === null ? [problem('title', 'missing', input)] : [])
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const stage = await stageFor(tx, orgId, pipelineId ?? null, stageId ?? null)
    const { title = '', source = sourceOf(tx) } = changes.fields
    const now = tx.now().toISOString()
    const id = newId()
    const fields = startingFrom(title, source, changes, await usualCurrency(tx, orgId, changes))
    await checkReason(tx, stage.kind, fields.lostReason)
    const deal: Deal = {
      ...fields,
      ...{ id, orgId, pipelineId: stage.pipelineId, stageId: stage.id, position: await placeIn(tx, stage, id, {}) },
      ...{ wonAt: null, lostAt: null, stageChangedAt: now, createdBy: actorOf(tx.principal), createdAt: now, updatedAt: now },
      ...{ deletedAt: null, version: 1 },
    }
    Object.assign(deal, outcomeIn(stage, deal, now))
    await db.query(insertDeal, inserted.of({ ...deal, searchText: searchTextOf(deal) }))
    if (changes.contacts) await setContacts(tx, deal, changes.contacts)
    await keepStageChange(tx, deal, null, stage)
    const { ownerUserId } = deal
    await recordEvent(tx, {
      ...eventOf(deal),
      type: dealEvents.created,
      changes: { stage: stage.name, ...(ownerUserId && { ownerUserId }) },
    })
    return deal
  })
}

/** Changes the fields in the input; writes nothing if all are equal. `moveDeal` changes the stage. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function updateDeal(context: Context, { id, ifVersion }: Expected, input: DealPatch): Promise<Deal> {
  const orgId = organizationOf(context)
  const changes = await checkDeal(context, orgId, input)
  return changing(context, 'deal', lockLiveDeal, { id, ifVersion }, async (tx, deal) => {
    const fields = applyTo(deal, changes, await usualCurrency(tx, orgId, changes))
    if (fields.lostReason !== deal.lostReason) await checkReason(tx, deal.lostAt === null ? 'open' : 'lost', fields.lostReason)
    const changed: Record<string, unknown> = differences(deal, fields)
    if (changes.contacts) {
      const before = (await tx.db.query(contactsOfDeals, [orgId, [deal.id]])).map(({ contactId, role }) => ({ contactId, role }))
      if (!isDeepStrictEqual(before, changes.contacts)) {
        await setContacts(tx, deal, changes.contacts)
        changed.contacts = [before, changes.contacts]
      }
    }
    if (Object.keys(changed).length === 0) return deal
    return writeDeal(tx, { ...deal, ...fields, ...nextVersion(tx, deal) }, dealEvents.updated, changed)
  })
}

/** Marks a deal as deleted; `restoreDeal` brings it back. */
export function deleteDeal(context: Context, expected: Expected): Promise<Deal> {
  return changing(context, 'deal', lockLiveDeal, expected, (tx, deal) =>
    writeDeal(tx, { ...deal, ...nextVersion(tx, deal), deletedAt: tx.now().toISOString() }, dealEvents.deleted),
  )
}

/** Restores a deleted deal, at its place; a live one stays unchanged. */
export function restoreDeal(context: Context, id: string): Promise<Deal> {
  return changing(context, 'deal', lockDeal, { id }, async (tx, deal) => {
    if (deal.deletedAt === null) return deal
    await remindOfRestored(tx, 'deal', deal.orgId, [deal.id])
    return writeDeal(tx, { ...deal, ...nextVersion(tx, deal), deletedAt: null }, dealEvents.restored)
  })
}

/** Writes a locked deal with its event. */
export async function writeDeal(tx: Context, after: Deal, type: EventType, changes: Record<string, unknown> = {}): Promise<Deal> {
  await tx.db.query(updateDealRow, [after.orgId, after.id, ...updated.of({ ...after, searchText: searchTextOf(after) })])
  await recordEvent(tx, { ...eventOf(after), type, changes })
  return after
}

/** The event is in the timelines of the deal and its company. */
export const eventOf = ({ id, orgId, companyId }: Deal) => ({
  ...{ entityId: id, dealId: id, companyId, orgId },
})

/** Keeps that the deal has come into a stage. */
export async function keepStageChange(tx: Context, deal: Deal, from: Pick<Stage, 'id' | 'name'> | null, to: Stage): Promise<void> {
  const change: StageChange = {
    ...{ id: newId(), orgId: deal.orgId, dealId: deal.id, fromStageId: from?.id ?? null, fromName: from?.name ?? null },
    ...{ toStageId: to.id, toName: to.name, changedBy: actorOf(tx.principal), changedAt: tx.now().toISOString() },
  }
  await tx.db.query(insertStageChanges, [storedJson([stageChangeRecord(change)])])
}

async function setContacts({ db }: Context, { orgId, id }: Deal, contacts: readonly DealContact[]): Promise<void> {
  await db.query(removeContacts, [orgId, id])
  if (contacts.length === 0) return
  await db.query(insertContacts, [orgId, id, contacts.map(({ contactId }) => contactId), contacts.map(({ role }) => role)])
}

/** Whether the organization has deals that are not deleted. */
export async function hasLiveDeals(context: Context): Promise<boolean> {
  const [found] = await context.db.query(anyDeal, [organizationOf(context)])
  return found?.hasAny === true
}
