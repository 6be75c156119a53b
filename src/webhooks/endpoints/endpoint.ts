// Webhook endpoints: addresses that an organization has its changes sent to.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { countEndpoints, type Endpoint, endpointsById, selectEndpoints } from './endpoint.sql.ts'

export const loadEndpoints: Batch<string, Endpoint | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(endpointsById, [organizationOf(context), ids]), endpoint => endpoint.id)

/** Throws NOT_FOUND. */
export async function getEndpoint(context: Context, id: string): Promise<Endpoint> {
  const endpoint = isId(id) ? await load(context, loadEndpoints, id.toLowerCase()) : null
  if (!endpoint) throw notFound('webhook endpoint', id)
  return endpoint
}

/** One page of the organization's endpoints, newest first. */
export async function listEndpoints(context: Context, { counted, ...args }: ListArgs): Promise<Page<Endpoint>> {
  const list = 'webhook endpoints'
  const page = pageOf(args, list, isTime)
  const orgId = organizationOf(context)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countEndpoints, [orgId])))[0]?.total ?? 0)
  const position = page.start ? [page.start.key, page.start.id] : []
  const endpoints = await context.db.query(selectEndpoints(page), [orgId, page.size + 1, ...position])
  return new Page(
    endpoints.map(row => ({ row, key: row.createdAt })),
    page,
    list,
    total,
  )
}
