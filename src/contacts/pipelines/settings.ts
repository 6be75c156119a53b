// How an organization works with deals: the reasons for lost ones to choose from.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { text, tooLong } from '../../kernel/input/fields.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'

const events = eventsOf('deal_settings', { updated: update('The settings of deals were changed.') })

export interface DealSettings {
  lostReasons: string[]
}
const usual: DealSettings = { lostReasons: [] }

const maxReasons = 50
export const lostReason = text(200)

export async function readDealSettings(context: Context): Promise<DealSettings> {
  return (await context.db.prisma.dealSettings.findUnique({ where: { orgId: organizationOf(context) } })) ?? usual
}

/** Changes the given settings. Throws INVALID. */
export async function updateDealSettings(
  context: Context,
  { lostReasons }: { lostReasons?: readonly string[] | null },
): Promise<DealSettings> {
  const orgId = organizationOf(context)
  const given = lostReasons === undefined ? undefined : readReasons(lostReasons ?? [])
  return context.db.transaction(async tx => {
    // Inserts the row if absent, because only an existing row can be locked, and concurrent changes must run one after the other.
    const before = await tx.prisma.dealSettings.upsert({ where: { orgId }, create: { orgId }, update: { orgId } })
    if (given === undefined || JSON.stringify(given) === JSON.stringify(before.lostReasons)) return before
    await tx.prisma.dealSettings.update({ where: { orgId }, data: { lostReasons: given } })
    const changes = { lostReasons: [before.lostReasons, given] }
    await recordEvent(inTransaction(context, tx), { type: events.updated, entityId: orgId, changes })
    return { lostReasons: given }
  })
}

function readReasons(given: readonly string[]): string[] {
  if (given.length > maxReasons) throw invalid(at('lostReasons', tooLong(given, maxReasons)))
  const read = given.map(lostReason)
  const problems = read.flatMap((one, index) => (one instanceof Invalid ? at('lostReasons', new Invalid(at(index, one))) : []))
  if (problems.length > 0) throw invalid(problems)
  return [...new Set(read.filter(one => typeof one === 'string'))]
}
