// Sentences about what happened to a contact. `who` is the actor's name; other parts are links.

import type { ReactNode } from 'react'
import type { CallOutcome } from '../../generated/schema.ts'
import { countText } from '../format.ts'
import { room } from '../language.ts'
import { say } from '../say.ts'
import { callWords } from './calls.ts'
import { nounWords } from './values.ts'

type Part = ReactNode

const lowerFirst = (text: string) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text)

export const timelineWords = room('timeline', {
  nothing: 'nothing',
  became: 'became',
  somebody: 'another contact',
  anAgent: 'A voice agent',
  aTask: 'a task',
  aNote: 'a note',
  aCall: 'a call',
  aCompany: 'a company',
  aContact: 'a contact',
  thisDeal: 'this deal',
  contactCreated: (who: Part, contact: Part) => say`${who} added ${contact ?? 'this contact'}`,
  contactDeleted: (who: Part, contact: Part) => say`${who} deleted ${contact ?? 'this contact'}`,
  contactRestored: (who: Part, contact: Part) => say`${who} restored ${contact ?? 'this contact'}`,
  contactChanged: (who: Part, contact: Part) => say`${who} changed ${contact ?? 'this contact'}`,
  companyCreated: (who: Part) => say`${who} added this company`,
  companyDeleted: (who: Part) => say`${who} deleted this company`,
  companyRestored: (who: Part) => say`${who} restored this company`,
  companyChanged: (who: Part) => say`${who} changed this company`,
  companyMerged: (who: Part, other: Part) => say`${who} merged ${other} into this company`,
  companyDuplicateDismissed: (who: Part, other: Part) => say`${who} marked ${other} as a different company`,
  dealCreated: (who: Part, deal: Part) => say`${who} added ${deal}`,
  dealDeleted: (who: Part, deal: Part) => say`${who} deleted ${deal}`,
  dealRestored: (who: Part, deal: Part) => say`${who} restored ${deal}`,
  dealChanged: (who: Part, deal: Part) => say`${who} changed ${deal}`,
  dealMoved: (who: Part, deal: Part) => say`${who} moved ${deal}`,
  contactMerged: (who: Part, other: Part, contact: Part) => say`${who} merged ${other} into ${contact ?? 'this contact'}`,
  contactUnmerged: (who: Part, other: Part) => say`${who} undid the merge with ${other}`,
  duplicateDismissed: (who: Part, other: Part) => say`${who} marked ${other} as a different person`,
  noteAbout: (note: Part, record: Part) => say`${note} about ${record}`,
  taskFor: (task: Part, record: Part) => say`${task} for ${record}`,
  noteAdded: (who: Part, note: Part) => say`${who} added ${note}`,
  noteChanged: (who: Part, note: Part) => say`${who} changed ${note}`,
  noteDeleted: (who: Part) => say`${who} deleted a note`,
  taskAdded: (who: Part, task: Part) => say`${who} added the task ${task}`,
  taskDue: (due: Part, assignee: string | null) => (assignee === null ? say`Due ${due}` : say`Due ${due}, assigned to ${assignee}`),
  taskAssigned: (assignee: string) => `Assigned to ${assignee}`,
  taskReminded: (task: Part) => say`Reminder: ${task}`,
  taskCompleted: (who: Part, task: Part) => say`${who} completed ${task}`,
  taskChanged: (who: Part, task: Part) => say`${who} changed ${task}`,
  taskDeleted: (who: Part, task: Part) => say`${who} deleted the task ${task}`,
  callPlaced: (who: Part, agent: Part, call: Part) => say`${who} asked ${agent} to make ${call}`,
  callBlocked: (call: Part, reason: string) => say`${call} was not allowed: ${reason}`,
  callSpoken: (agent: Part, call: Part, contact: Part) => say`${agent} spoke with ${contact ?? 'this contact'} for ${call}`,
  callTried: (agent: Part, call: Part, contact: Part) => say`${agent} made ${call} to ${contact ?? 'this contact'}`,
  callChanged: (agent: Part, call: Part) => say`${agent}: ${call} was updated`,
  outcome: (outcome: CallOutcome | null) => (outcome === null || outcome === 'UNKNOWN' ? '' : `${callWords.outcome[outcome]}.`),
  ended: (reason: string) => `It ended because ${reason}.`,
  learned: (fields: readonly string[]) => (fields.length === 0 ? '' : `Learned: ${fields.map(lowerFirst).join(', ')}`),
  runStarted: (who: Part, run: Part) => say`${who} started ${run}`,
  runRunning: (run: Part) => say`${run} is running`,
  runFound: (run: Part, count: number) => say`${run} made ${countText(count, nounWords.suggestion)}`,
  runEmpty: (run: Part) => say`${run} found nothing new`,
  runFailed: (run: Part) => say`${run} failed`,
  runCanceled: (who: Part, run: Part) => say`${who} canceled ${run}`,
  runUnpaid: (run: Part) => say`${run} stopped because there were not enough credits`,
  run: 'Data enrichment',
  runInside: 'data enrichment',
  suggested: (provider: string, value: Part) => say`${provider} suggested ${value}`,
  sure: (percent: string) => `${percent} sure`,
  accepted: (who: Part, value: Part) => say`${who} accepted ${value}`,
  declined: (who: Part, value: Part) => say`${who} declined ${value}`,
  applied: (value: Part) => say`${value} was filled in automatically`,
  expired: (field: string) => `The suggestion for ${lowerFirst(field)} expired`,
  replaced: (field: string) => `A newer suggestion replaced the one for ${lowerFirst(field)}`,
  unknown: (who: Part) => say`${who} did something that this page does not know yet. Reload it to see what`,
  decide: 'Review',
})
