// Lists of agents.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Condition, equals, filterValue } from '../../kernel/lists/filter-values.ts'
import { type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import type { ProviderName } from '../providers/telephony.ts'
import type { AgentStatus, VoiceAgent } from './agent.sql.ts'
import { type AgentSort, isKeyOf, pageStatement } from './list.sql.ts'

export interface AgentList extends ListArgs {
  filter?: {
    status?: AgentStatus | null
    statusIn?: readonly AgentStatus[] | null
    provider?: ProviderName | null
    providerIn?: readonly ProviderName[] | null
  } | null
  sort?: AgentSort | null
}

/** One page of the organization's agents, newest first by default. */
export async function listAgents(context: Context, { filter, sort, counted, ...args }: AgentList): Promise<Page<VoiceAgent>> {
  const orgId = organizationOf(context)
  const status = eachOf('statusIn', filter?.status, filter?.statusIn)
  const provider = eachOf('providerIn', filter?.provider, filter?.providerIn)
  const order = sort ?? 'created_at_desc'
  // The default order is not part of the name, so that older cursors stay valid.
  const name = `agents ${status} ${provider}${order === 'created_at_desc' ? '' : ` ${order}`}`
  const page = pageOf(args, name, isKeyOf(order))
  const conditions: Condition[] = [
    ...(status ? [{ name: 'status', value: status, sql: equals('status') }] : []),
    ...(provider ? [{ name: 'provider', value: provider, sql: equals('provider') }] : []),
  ]
  const where = { orgId, ...(status && { status: { in: status } }), ...(provider && { provider: { in: provider } }) }
  const total = totalOf(counted, () => bounded(context, ({ prisma }) => prisma.voiceAgent.count({ where })))
  const start = page.start ? [page.start.key, page.start.id] : []
  const values = [orgId, ...conditions.map(({ value }) => value), ...start]
  return new Page(await context.db.query(pageStatement(order, conditions, page), values), page, name, total)
}

// The values that match both forms of a filter, `status` and `statusIn`; null if neither is given.
function eachOf(field: string, one: string | null | undefined, several: readonly string[] | null | undefined): string[] | null {
  if (several == null) return one == null ? null : [one]
  const values = [filterValue(field, several)].flat()
  return one == null ? values : values.filter(value => value === one)
}
