// The words of mails about inbox items: a sentence and a link for each item, and where to choose which mails come.

import type { RecordRef } from '../../contacts/records/hanging/ref.ts'
import { type RecordNoun, recordNouns, tableOfNoun } from '../../contacts/records/nouns.ts'
import { plain } from '../../identity/mail.ts'
import type { InboxItem, InboxResult } from '../items/item.sql.ts'

/** An item with what its mail says of its subject. */
export interface Told extends InboxItem {
  /** Its contact, company or deal, if it has one. `name`: null for a contact without a name and an address. */
  record: (RecordRef & { name: string | null }) | null
  /** Further lines: when a task is due, why a webhook endpoint was stopped. */
  details: readonly string[]
}

export interface MailText {
  subject: string
  text: string
}

// A mail with more is not read to its end.
const maxListed = 50

/** The mail about these items. `address`: of the app. */
export function mailOf(items: readonly Told[], organization: string, address: string, isDaily: boolean): MailText {
  const listed = items.slice(0, maxListed)
  const more = items.length - listed.length
  const [only] = items
  const subject =
    items.length === 1 && only
      ? sentenceOf(only)
      : isDaily
        ? `Your day in ${plain(organization)}: ${items.length} items in your inbox`
        : `${items.length} new items in your inbox`
  const paragraphs = [
    ...listed.map(item => [sentenceOf(item), ...linesOf(item), address + pathOf(item)].join('\n')),
    ...(more > 0 ? [`And ${more} more, in your inbox:\n${address}/inbox`] : []),
    `You get this mail as a member of ${plain(organization)}. Choose which mails you get:\n${address}/settings/notifications`,
  ]
  return { subject, text: paragraphs.join('\n\n') }
}

const ofCall: Readonly<Record<InboxResult, (whom: string) => string>> = {
  succeeded: whom => `Your call with ${whom} is over`,
  failed: whom => `Your call to ${whom} failed`,
  not_reached: whom => `Nobody answered your call to ${whom}`,
  canceled: whom => `Your call to ${whom} was canceled`,
}

/** As the app says it: see `inboxWords`. */
function sentenceOf({ kind, subjectType, title, result, count, actor, record }: Told): string {
  const who = actor.name === null ? 'Somebody' : plain(actor.name)
  const whom = record?.name ? plain(record.name) : `a ${record?.noun ?? 'contact'}`
  const what = title === null ? 'Untitled' : plain(title)
  const noun = nounOf(subjectType)
  const records = `${count.toLocaleString('en')} ${count === 1 ? noun : tableOfNoun[noun]}`
  const isFailed = result === 'failed'
  switch (kind) {
    case 'assigned':
      if (subjectType === 'contact_task') return count > 1 ? `${who} gave you ${count} tasks` : `${who} gave you the task “${what}”`
      return `${who} made you the owner of ${count > 1 ? records : whom}`
    case 'mentioned':
      return `${who} mentioned you in a note about ${whom}`
    case 'reminder_due':
      return `Reminder: ${what}`
    case 'call_ended':
      return ofCall[result ?? 'succeeded'](whom)
    case 'job_ended':
      return `Your search for data about ${whom} ${isFailed ? 'failed' : 'is done'}`
    case 'import_ended':
      return isFailed ? `Your import of ${what} failed` : `Your import of ${what} is done. Rows written: ${count.toLocaleString('en')}`
    case 'bulk_change_ended':
      return isFailed ? `Your change of many ${tableOfNoun[noun]} failed` : `Your change of ${records} is done`
    case 'credits_low':
      return 'Credits are running low'
    case 'webhook_failing':
      return result === null ? `Changes do not reach ${what}` : `Changes are no longer sent to ${what}`
  }
}

/** The noun of the records: of a `company_bulk_change`, companies. */
const nounOf = (subjectType: string): RecordNoun => recordNouns.values.find(noun => subjectType.startsWith(noun)) ?? 'contact'

const labels: Readonly<Record<RecordNoun, string>> = { contact: 'Contact', company: 'Company', deal: 'Deal' }

function linesOf({ kind, subjectType, title, record, details }: Told): readonly string[] {
  const words = kind === 'mentioned' && title !== null ? [plain(title)] : []
  const isOfTask = kind === 'reminder_due' || subjectType === 'contact_task'
  return [...words, ...(isOfTask && record?.name ? [`${labels[record.noun]}: ${plain(record.name)}`] : []), ...details]
}

const places: Readonly<Record<RecordNoun, string>> = { contact: '/contacts', company: '/companies', deal: '/deals' }

/** Where the app shows the subject: see `ItemLink`. */
function pathOf({ kind, subjectType, subjectId, record }: Told): string {
  const ofRecord = record && `${places[record.noun]}/${record.id}`
  if (kind === 'mentioned' && ofRecord) return `${ofRecord}?tab=notes`
  switch (subjectType) {
    case 'contact_task':
      return `/tasks?open=${subjectId}`
    case 'call':
      return `/calls/${subjectId}`
    case 'enrichment_job':
      return `/jobs?open=${subjectId}`
    case 'contact_import':
      return `/imports/${subjectId}`
    case 'credits':
      return '/credits'
    case 'webhook_endpoint':
      return `/settings/webhooks/${subjectId}`
    default:
      return ofRecord ?? places[nounOf(subjectType)]
  }
}
