// Deliveries: events on their way to endpoints, and the log of requests and answers.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { notFound } from '../../kernel/errors.ts'
import { comparableId, isId } from '../../kernel/ids.ts'
import { timeTexts } from '../../kernel/lists/comparisons.ts'
import { directionOf, isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { countDeliveries, type Delivery, type DeliveryState, deliveriesById, selectDeliveries } from './delivery.sql.ts'

export interface DeliveryFilter {
  endpointId?: string | null
  stateIn?: readonly DeliveryState[] | null
  typeIn?: readonly string[] | null
  messageId?: string | null
  entityId?: string | null
  createdSince?: Date | null
  createdUntil?: Date | null
}

const loadDeliveries: Batch<string, Delivery | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(deliveriesById, [organizationOf(context), ids]), delivery => delivery.id)

/** Throws NOT_FOUND. */
export async function getDelivery(context: Context, id: string): Promise<Delivery> {
  const delivery = isId(id) ? await load(context, loadDeliveries, id.toLowerCase()) : null
  if (!delivery) throw notFound('webhook delivery', id)
  return delivery
}

/** One page of the organization's deliveries, newest first. */
export async function listDeliveries(
  context: Context,
  { counted, filter, ...args }: ListArgs & { filter?: DeliveryFilter | null },
): Promise<Page<Delivery>> {
  const { createdSince, createdUntil } = timeTexts({ createdSince: filter?.createdSince, createdUntil: filter?.createdUntil })
  const values = [
    ...[organizationOf(context), idOf(filter?.endpointId), filter?.stateIn ?? null, filter?.typeIn ?? null],
    ...[idOf(filter?.messageId), filter?.entityId ?? null, createdSince, createdUntil],
  ]
  const list = `webhook deliveries ${JSON.stringify(values.slice(1))}`
  const page = pageOf(args, list, isTime)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countDeliveries, values)))[0]?.total ?? 0)
  const position = [page.start?.key ?? null, page.start?.id ?? null]
  const deliveries = await context.db.query(selectDeliveries[directionOf(page)], [...values, page.size + 1, ...position])
  return new Page(
    deliveries.map(row => ({ row, key: row.createdAt })),
    page,
    list,
    total,
  )
}

const idOf = (id: string | null | undefined) => (id == null ? null : comparableId(id))
