// The sentence of each type of entry, with links to what it tells about.

import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { noteAnchor } from '../../address/note-anchor.ts'
import type { NamedDealFragment, NotePlaceFragment } from '../../generated/operations.ts'
import { endedReasonWords } from '../../language/en/calls.ts'
import { enrichmentWords } from '../../language/en/enrichment.ts'
import { timelineWords } from '../../language/en/timeline.ts'
import { durationText } from '../../language/format.ts'
import { stepReason } from '../../language/reasons.ts'
import { say } from '../../language/say.ts'
import { sentence, wordOf } from '../../language/values.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { exact } from '../../pieces/time.tsx'
import { RecordLink } from '../../record/link.tsx'
import { type RecordRef, recordIn } from '../../record/ref.ts'
import { type ContactField, nameOf } from '../fields/fields.ts'
import { actorName } from '../origin.tsx'
import { changedValue } from './changed-value.ts'
import { labelOf } from './changes.tsx'
import type { Entry, EntryEvent } from './kinds.tsx'

export interface Told {
  entry: Entry
  fields: readonly ContactField[]
  members: ReadonlyMap<string, string>
  /** The record whose timeline it is. */
  record: RecordRef
  /** Whether the note still exists, or the suggestion still waits for a decision. */
  isCurrent: boolean
}

type EventOf<Type extends EntryEvent['__typename']> = Extract<EntryEvent, { __typename: Type }>
type Sentences = { readonly [Type in EntryEvent['__typename']]: (event: EventOf<Type>, told: Told) => ReactNode }

const sentences: Sentences = {
  CompanyCreatedEntry: (_event, told) => timelineWords.companyCreated(whoOf(told)),
  CompanyDeletedEntry: (_event, told) => timelineWords.companyDeleted(whoOf(told)),
  CompanyRestoredEntry: (_event, told) => timelineWords.companyRestored(whoOf(told)),
  CompanyChangedEntry: (_event, told) => timelineWords.companyChanged(whoOf(told)),
  CompanyDuplicateDismissedEntry: ({ otherCompany }, told) =>
    timelineWords.companyDuplicateDismissed(whoOf(told), companyLink(otherCompany)),
  CompanyMergedEntry: ({ otherCompany }, told) => timelineWords.companyMerged(whoOf(told), companyLink(otherCompany)),
  CompanyUnmergedEntry: ({ otherCompany }, told) => timelineWords.contactUnmerged(whoOf(told), companyLink(otherCompany)),
  DealCreatedEntry: ({ deal }, told) => timelineWords.dealCreated(whoOf(told), dealLink(deal, told)),
  DealDeletedEntry: ({ deal }, told) => timelineWords.dealDeleted(whoOf(told), dealLink(deal, told)),
  DealRestoredEntry: ({ deal }, told) => timelineWords.dealRestored(whoOf(told), dealLink(deal, told)),
  DealChangedEntry: ({ deal }, told) => timelineWords.dealChanged(whoOf(told), dealLink(deal, told)),
  DealMovedEntry: ({ deal }, told) => timelineWords.dealMoved(whoOf(told), dealLink(deal, told)),
  ContactCreatedEntry: (_event, told) => timelineWords.contactCreated(whoOf(told), namedContact(told)),
  ContactDeletedEntry: (_event, told) => timelineWords.contactDeleted(whoOf(told), namedContact(told)),
  ContactRestoredEntry: (_event, told) => timelineWords.contactRestored(whoOf(told), namedContact(told)),
  ContactChangedEntry: (_event, told) => timelineWords.contactChanged(whoOf(told), namedContact(told)),
  ContactMergedEntry: ({ other }, told) => timelineWords.contactMerged(whoOf(told), contactLink(other), namedContact(told)),
  ContactUnmergedEntry: ({ other }, told) => timelineWords.contactUnmerged(whoOf(told), contactLink(other)),
  DuplicateDismissedEntry: ({ other }, told) => timelineWords.duplicateDismissed(whoOf(told), contactLink(other)),
  NoteAddedEntry: ({ note }, told) => timelineWords.noteAdded(whoOf(told), noteLink(note, told)),
  NoteChangedEntry: ({ note }, told) => timelineWords.noteChanged(whoOf(told), noteLink(note, told)),
  NoteDeletedEntry: (_event, told) => timelineWords.noteDeleted(whoOf(told)),
  TaskAddedEntry: ({ title }, told) => timelineWords.taskAdded(whoOf(told), taskLink(title, told)),
  TaskRemindedEntry: ({ title }, told) => timelineWords.taskReminded(taskLink(title, told)),
  TaskCompletedEntry: ({ task }, told) => timelineWords.taskCompleted(whoOf(told), taskLink(task?.title, told)),
  TaskChangedEntry: ({ task }, told) => timelineWords.taskChanged(whoOf(told), taskLink(task?.title, told)),
  TaskDeletedEntry: ({ title }, told) => timelineWords.taskDeleted(whoOf(told), strong(title)),
  CallPlacedEntry({ call, dispatchState, endedReason }, told) {
    if (dispatchState === 'BLOCKED')
      return timelineWords.callBlocked(callLink(sentence(timelineWords.aCall), told), wordOf(endedReasonWords, endedReason ?? 'failed'))
    return timelineWords.callPlaced(whoOf(told), agentLink(call), callLink(timelineWords.aCall, told))
  },
  CallEndedEntry: ({ call, durationSeconds }, told) =>
    durationSeconds === null
      ? timelineWords.callTried(agentLink(call), callLink(timelineWords.aCall, told), namedContact(told))
      : timelineWords.callSpoken(agentLink(call), callLink(durationText(durationSeconds), told), namedContact(told)),
  CallChangedEntry: ({ call }, told) => timelineWords.callChanged(agentLink(call), callLink(timelineWords.aCall, told)),
  EnrichmentJobEntry: (event, told) => runSentence(event, told),
  SuggestionAddedEntry: ({ provider, field, proposedValue }, told) =>
    timelineWords.suggested(wordOf(enrichmentWords.provider, provider ?? 'http'), suggestedValue(field, proposedValue, told)),
  SuggestionDecidedEntry({ suggestionStatus: status, field, proposedValue }, told) {
    if (status === 'ACCEPTED') return timelineWords.accepted(whoOf(told), suggestedValue(field, proposedValue, told))
    if (status === 'REJECTED') return timelineWords.declined(whoOf(told), suggestedValue(field, proposedValue, told))
    if (status === 'AUTO_APPLIED') return timelineWords.applied(suggestedValue(field, proposedValue, told))
    const label = labelOf(field ?? '', told.fields)
    return status === 'EXPIRED' ? timelineWords.expired(label) : timelineWords.replaced(label)
  },
}

export function EntrySentence(told: Told): ReactNode {
  const { event } = told.entry
  // `as never`: TypeScript does not see that the function and the event have one type.
  return event ? sentences[event.__typename](event as never, told) : timelineWords.unknown(whoOf(told))
}

/** More details of the event, below its sentence. */
export function detailOf({ entry: { event } }: Told): ReactNode {
  switch (event?.__typename) {
    case 'NoteAddedEntry':
      return event.text
    case 'TaskAddedEntry': {
      const assignee = event.assignee && (event.assignee.name || event.assignee.email)
      return event.dueAt ? timelineWords.taskDue(exact(event.dueAt), assignee) : assignee && timelineWords.taskAssigned(assignee)
    }
    case 'CallEndedEntry': {
      const reason = event.durationSeconds === null && event.endedReason ? wordOf(endedReasonWords, event.endedReason) : null
      const outcome = timelineWords.outcome(event.outcome)
      return [outcome || (reason && timelineWords.ended(reason)), timelineWords.learned(event.learned.map(name => labelOf(name, [])))]
        .filter(Boolean)
        .join(' ')
    }
    case 'EnrichmentJobEntry':
      return event.error && stepReason(event.error)
    default:
      return null
  }
}

function runSentence({ jobStatus, suggestionCount }: EventOf<'EnrichmentJobEntry'>, told: Told): ReactNode {
  const run = runLink(timelineWords.run, told)
  switch (jobStatus) {
    case 'QUEUED':
      return timelineWords.runStarted(whoOf(told), runLink(timelineWords.runInside, told))
    case 'COMPLETED':
      return suggestionCount ? timelineWords.runFound(run, suggestionCount) : timelineWords.runEmpty(run)
    case 'FAILED':
      return timelineWords.runFailed(run)
    case 'CANCELED':
      return timelineWords.runCanceled(whoOf(told), runLink(timelineWords.runInside, told))
    case 'INSUFFICIENT_CREDITS':
      return timelineWords.runUnpaid(run)
    default:
      return timelineWords.runRunning(run)
  }
}

const strong = (text: ReactNode) => (
  <Text span inherit fw={500}>
    {text}
  </Text>
)
const whoOf = ({ entry }: Told) => strong(actorName(entry.actor))

const suggestedValue = (field: string | null, value: unknown, { fields, members }: Told) =>
  say`${labelOf(field ?? '', fields)}: ${strong(changedValue(field ?? '', value, members) || timelineWords.nothing)}`

const linked = { underline: 'always', inherit: true } as const

const contactLink = (other: { id: string; fullName: string | null; email: string | null; phone: string | null } | null) =>
  other ? (
    <AnchorLink to="/contacts/$contactId" params={{ contactId: other.id }} {...linked}>
      {nameOf(other)}
    </AnchorLink>
  ) : (
    timelineWords.somebody
  )

/** The contact of an event in the timeline of a company or a deal; null where the page is the contact's. */
const namedContact = ({ entry: { contact } }: Told) => contact && contactLink(contact)

/** The person or the deal of a note or a task in the timeline of a company. */
function otherRecord({ entry: { event, contact }, record }: Told) {
  const about = event && 'note' in event ? event.note : event && 'task' in event ? event.task : null
  if (about?.deal && about.deal.id !== record.id) return namedDeal(about.deal)
  return contact && contact.id !== record.id ? contactLink(contact) : null
}

function noteLink(note: NotePlaceFragment | null, told: Told) {
  const place = note && told.isCurrent ? recordIn(note) : null
  const link =
    note && place ? (
      <RecordLink record={place} note={noteAnchor(note.id)} {...linked}>
        {timelineWords.aNote}
      </RecordLink>
    ) : (
      timelineWords.aNote
    )
  const other = otherRecord(told)
  return other ? timelineWords.noteAbout(link, other) : link
}

const companyLink = (company: { id: string; name: string } | null) =>
  company ? (
    <AnchorLink to="/companies/$companyId" params={{ companyId: company.id }} {...linked}>
      {company.name}
    </AnchorLink>
  ) : (
    timelineWords.aCompany
  )

const namedDeal = (deal: NamedDealFragment) => (
  <AnchorLink to="/deals/$dealId" params={{ dealId: deal.id }} {...linked}>
    {deal.title}
  </AnchorLink>
)

const dealLink = (deal: NamedDealFragment | null, { entry, record }: Told) =>
  entry.entityId === record.id || !deal ? timelineWords.thisDeal : namedDeal(deal)

function taskLink(title: string | null | undefined, told: Told) {
  const link = title ? (
    <AnchorLink to="/tasks" search={{ open: told.entry.entityId }} {...linked}>
      {title}
    </AnchorLink>
  ) : (
    timelineWords.aTask
  )
  const other = otherRecord(told)
  return other ? timelineWords.taskFor(link, other) : link
}

const callLink = (text: string, { entry }: Told) => (
  <AnchorLink to="/calls/$callId" params={{ callId: entry.entityId }} {...linked}>
    {text}
  </AnchorLink>
)

const agentLink = (call: { voiceAgent: { id: string; name: string } | null } | null) =>
  call?.voiceAgent ? (
    <AnchorLink to="/agents/$agentId" params={{ agentId: call.voiceAgent.id }} {...linked} fw={500}>
      {call.voiceAgent.name}
    </AnchorLink>
  ) : (
    strong(timelineWords.anAgent)
  )

const runLink = (text: string, { entry }: Told) => (
  <AnchorLink to="/jobs" search={{ open: entry.entityId }} {...linked}>
    {text}
  </AnchorLink>
)
