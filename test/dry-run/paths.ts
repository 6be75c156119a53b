// The paths of the routes that the dry runs try.

import { nouns } from '../support/nouns.ts'
import type { Seeded } from './writes.ts'

/** The ids in the path of a route. */
export function pathOf(method: string, path: string, ids: Seeded): string {
  const isRestore = path.endsWith('/restore')
  const own: Record<string, string> = {
    ...{
      contact_id: isRestore ? ids.deleted : ids.contact,
      call_id: ids.call,
      conversation_id: ids.conversation,
      suggestion_id: ids.suggestion,
      grant_id: ids.grant,
    },
    ...{
      agent_id: path.endsWith('/resume') ? ids.paused : path.endsWith('/provision') ? ids.draft : ids.agent,
      job_id: path.endsWith('/retry') ? ids.failed : ids.queued,
    },
    ...Object.fromEntries(nouns.map(({ id }) => [`${id}_id`, (isRestore && ids.deletedRecords.get(id)) || ids[id]])),
    ...{
      merge_id: path.includes('company-merges') ? ids.companyMerge : ids.merge,
      import_id: path.endsWith('/undo') ? ids.ended : ids.import,
      provider: 'simulator',
    },
    ...{ endpoint_id: ids.webhook, item_id: ids.inboxItem, delivery_id: ids.delivery },
  }
  const query = method === 'PUT' && path.endsWith('/contacts') ? '?match=email&' : '?'
  return `${path.replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? name)}${query}dry_run=true`
}
