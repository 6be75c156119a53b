// Deals of a file: found by their id there. Their company is linked by its id or its name, their stage is given, or follows from their outcome.

import type { Context } from '../../../kernel/context.ts'
import { contactsOfDeals } from '../../deals/contacts.sql.ts'
import { dealsById } from '../../deals/deal.sql.ts'
import { createDeal, type NewDeal } from '../../deals/deal.ts'
import { applyTo, differences, readDeal } from '../../deals/input.ts'
import type { Deal } from '../../deals/row.ts'
import { changeFound } from '../../deals/upsert.ts'
import type { StageKind } from '../../pipelines/row.ts'
import type { PipelineAround } from '../cells/records/deals.ts'
import { surroundingsOf } from '../cells/surroundings.ts'
import { companiesNamed } from './found.sql.ts'
import type { LinkedRow } from './links.ts'
import { changedFrom, created, type RowsOf } from './write-row.ts'

interface DealRow extends Omit<NewDeal, 'contacts'> {
  dealStatus?: StageKind
  companyName?: string
}
/** The deal of a row. Some systems write a currency where there is no amount. */
export function dealRow({ input }: Pick<LinkedRow, 'input'>): DealRow {
  // `as`: each reader returns the type of its field.
  const { currency, ...rest } = input as DealRow
  return rest.amount === undefined ? rest : { ...rest, ...(currency !== undefined && { currency }) }
}

export const dealRows: RowsOf = async (tx, orgId, rows) => {
  const { newDeal, changeOf, contactsOf } = await dealReader(tx, orgId, rows)
  return async (context, row, onConflict) => {
    const { known } = row.linked
    if (known === null) return created(await createDeal(context, newDeal(row)))
    if (onConflict === 'skip') return { id: known, outcome: 'skipped' }
    const [found] = await context.db.query(dealsById, [orgId, [known]])
    if (!found) return created(await createDeal(context, newDeal(row)))
    const change = changeOf(row, found)
    const after = await changeFound(context, found, change)
    return changedFrom(found, after, () => ({
      ...differences(found, after),
      ...(after.stageId !== found.stageId && { stageId: [found.stageId, after.stageId] }),
      ...(change.contacts && { contacts: [contactsOf(found.id), change.contacts] }),
    }))
  }
}

/** Returns a function that tells whether a row would change its deal. `usual`: the currency of the organization. Throws INVALID. */
export async function changesDeals(context: Context, orgId: string, rows: readonly LinkedRow[], usual: string | null) {
  const ids = rows.flatMap(({ linked }) => linked.known ?? [])
  const deals = new Map((ids.length > 0 ? await context.db.query(dealsById, [orgId, ids]) : []).map(deal => [deal.id, deal]))
  const { changeOf } = await dealReader(context, orgId, rows)
  return (row: LinkedRow): boolean => {
    const found = deals.get(row.linked.known ?? '')
    if (!found) return true
    const { stageId, pipelineId: _, contacts, ...fields } = changeOf(row, found)
    if (contacts || (typeof stageId === 'string' && stageId !== found.stageId)) return true
    return Object.keys(differences(found, applyTo(found, readDeal(fields), usual))).length > 0
  }
}

/** Reads deals from rows, with the companies that they name. */
async function dealReader(context: Context, orgId: string, rows: readonly LinkedRow[]) {
  const { db } = context
  const { pipelines = [], lostReasons = [] } = await surroundingsOf(context, orgId, 'deal')
  const names = rows.flatMap(row => (row.linked.links.company.length === 0 ? (dealRow(row).companyName ?? []) : []))
  const companies = new Map((names.length > 0 ? await db.query(companiesNamed, [orgId, names]) : []).map(({ id, name }) => [name, id]))
  const knownIds = rows.flatMap(({ linked }) => linked.known ?? [])
  const contacts = Map.groupBy(knownIds.length > 0 ? await db.query(contactsOfDeals, [orgId, knownIds]) : [], ({ dealId }) => dealId)

  const contactsOf = (id: string) => (contacts.get(id) ?? []).map(({ contactId, role }) => ({ contactId, role }))
  const dealOf = (row: LinkedRow): NewDeal => {
    const { dealStatus, companyName, ...input } = dealRow(row)
    const companyId = row.linked.links.company[0] ?? companies.get(companyName?.toLowerCase() ?? '')
    const stage = stageOf(pipelines, { ...input, dealStatus })
    const deal: NewDeal = {
      ...input,
      ...(companyId !== undefined && { companyId }),
      ...(stage && { stageId: stage.id, pipelineId: stage.pipelineId }),
    }
    // A deal that is not lost has no reason, and a lost one needs one.
    if (stage?.kind === 'lost')
      deal.lostReason ??= lostReasons.find(reason => /other|sonst|ander/i.test(reason)) ?? lostReasons.at(-1) ?? 'Not told'
    else delete deal.lostReason
    return deal
  }
  return {
    newDeal(row: LinkedRow): NewDeal {
      const contacts = row.linked.links.contact.map(contactId => ({ contactId }))
      return { ...dealOf(row), ...(contacts.length > 0 && { contacts }) }
    },
    /** The change of a deal that exists. */
    changeOf(row: LinkedRow, found: Deal): NewDeal {
      const deal = dealOf(row)
      // A reason that somebody has chosen here stays.
      if (found.lostAt !== null && dealRow(row).lostReason === undefined) delete deal.lostReason
      const before = contactsOf(found.id)
      const missing = row.linked.links.contact
        .filter(id => !before.some(({ contactId }) => contactId === id))
        .map(contactId => ({ contactId, role: null }))
      return { ...deal, ...(missing.length > 0 && { contacts: [...before, ...missing] }) }
    },
    contactsOf,
  }
}

/** The stage that the row names, the one of its outcome, or none: then a new deal is in the first one of its pipeline. */
function stageOf(pipelines: readonly PipelineAround[], { stageId, pipelineId, dealStatus }: DealRow) {
  const all = pipelines.flatMap(pipeline => pipeline.stages.map(stage => ({ ...stage, pipelineId: pipeline.id })))
  const given = all.find(({ id }) => id === stageId)
  const pipeline = given?.pipelineId ?? pipelineId ?? pipelines[0]?.id
  // Some systems keep the stage in which a deal was won or lost.
  if (dealStatus === 'won' || dealStatus === 'lost')
    return all.find(stage => stage.pipelineId === pipeline && stage.kind === dealStatus) ?? given
  return given
}
