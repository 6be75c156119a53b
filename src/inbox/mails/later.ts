// New inbox items as their members want them: in the list or done from the beginning, and with the time of a mail.

import type { Queries } from '../../database/client.ts'
import type { Services } from '../../kernel/context.ts'
import type { InboxItem } from '../items/item.sql.ts'
import { waysOf } from '../preferences/preference.ts'
import { mailsDueItem, nextDigest } from './times.ts'

export async function asWanted({ config, now }: Services, db: Queries, items: readonly InboxItem[]): Promise<InboxItem[]> {
  const ways = await waysOf(db, items)
  // Asked once for each member.
  const digests = new Map<string, Promise<Date>>()
  const digestOf = (item: InboxItem) => {
    const key = keyOf(item)
    const known = digests.get(key) ?? nextDigest(db, item, now())
    digests.set(key, known)
    return known
  }
  const wanted: InboxItem[] = []
  for (const item of items) {
    const { inbox, mail } = ways(item, item.kind)
    const at = !config.SMTP_URL || mail === 'off' ? null : mail === 'daily' ? await digestOf(item) : now()
    wanted.push({ ...item, doneAt: inbox ? null : item.createdAt, mailAt: at?.toISOString() ?? null })
  }
  return wanted
}

/** Queues the mails of inserted items, in the transaction. */
export async function mailLater({ queue }: Services, db: Queries, items: readonly InboxItem[]): Promise<void> {
  const mailed = items.filter(({ mailAt }) => mailAt !== null)
  for (const [item] of Map.groupBy(mailed, item => `${keyOf(item)} ${item.mailAt}`).values()) {
    if (!item?.mailAt) continue
    const { orgId, userId, mailAt } = item
    await queue.enqueue(mailsDueItem, { orgId, userId }, { db, startAfter: new Date(mailAt) })
  }
}

const keyOf = ({ orgId, userId }: InboxItem) => `${orgId} ${userId}`
