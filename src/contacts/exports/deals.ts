// Exports of deals: with the names of their pipeline, stage and company, which people read and another import finds.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import { companiesById } from '../companies/company.sql.ts'
import { contactsOfDeals } from '../deals/contacts.sql.ts'
import { conditionsOf, type DealFilter } from '../deals/list/filter.ts'
import { countDeals, type DealSort, everyDeal } from '../deals/list/list.ts'
import { type Deal, dealFields } from '../deals/row.ts'
import { selectStages } from '../pipelines/pipeline.sql.ts'
import { listPipelines } from '../pipelines/pipeline.ts'
import { amountOf } from '../records/money.ts'
import { type Exported, exporterOf } from './exporter.ts'
import { fieldsOf } from './fields.ts'

const events = eventsOf('deal_export', {
  created: 'A link to an export of deals was made.',
  downloaded: 'Such a link was used.',
})

const further = [
  'companyName',
  'contactIds',
  'pipelineId',
  'pipelineName',
  'stageId',
  'stageName',
  'stageChangedAt',
  'wonAt',
  'lostAt',
  'amount',
]

const exportedDeals: Exported<DealFilter, DealSort> = {
  noun: 'deal',
  events,
  fields: fieldsOf(dealFields, { behind: 'companyId', further }),
  check: conditionsOf,
  count: countDeals,
  async *every(context, listed) {
    const ways = await readWays(context)
    for await (const deals of everyDeal(context, listed)) yield withNames(context, deals, ways)
  },
}

interface Ways {
  pipelines: ReadonlyMap<string, string>
  stages: ReadonlyMap<string, string>
}
const namesById = (rows: readonly { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]))

async function readWays(context: Context): Promise<Ways> {
  const stages = await context.db.query(selectStages, [organizationOf(context), null])
  return { pipelines: namesById(await listPipelines(context)), stages: namesById(stages) }
}

async function withNames(context: Context, deals: readonly Deal[], { pipelines, stages }: Ways) {
  const orgId = organizationOf(context)
  const companyIds = [...new Set(deals.flatMap(({ companyId }) => companyId ?? []))]
  const companies = namesById(companyIds.length > 0 ? await context.db.query(companiesById, [orgId, companyIds]) : [])
  const people = Map.groupBy(await context.db.query(contactsOfDeals, [orgId, deals.map(({ id }) => id)]), ({ dealId }) => dealId)
  return deals.map(deal => ({
    ...deal,
    amount: amountOf({ minor: deal.amount, currency: deal.currency }),
    companyName: companies.get(deal.companyId ?? ''),
    contactIds: (people.get(deal.id) ?? []).map(({ contactId }) => contactId),
    ...{ pipelineName: pipelines.get(deal.pipelineId), stageName: stages.get(deal.stageId) },
  }))
}

export const createDealExport = exporterOf(exportedDeals, 'created_at_desc')
