// The handlers of tasks: task name -> rule.

import { failBulkChange, runBulkChange } from '../../contacts/bulk/run.ts'
import { failImport, runImport } from '../../contacts/imports/run.ts'
import { remind } from '../../contacts/tasks/reminder.ts'
import { bringDueAccountsUpToDate } from '../../credits/accounts/account.ts'
import { enrichContacts } from '../../enrichment/jobs/bulk.ts'
import { expireSuggestions } from '../../enrichment/suggestions/expiry.ts'
import { suggestFromCall } from '../../enrichment/suggestions/from-call.ts'
import { deductFor } from '../../gateway/charges/credit-api.ts'
import type { Services } from '../../kernel/context.ts'
import { openMail } from '../../kernel/queue/mail.ts'
import { type QueueEndings, type QueueHandlers, queueItemSettings } from '../../kernel/queue/queue.ts'
import { failProvisioning, provisionAgent } from '../../voice/agents/provisioning.ts'
import { dispatchDue } from '../../voice/dispatch/dispatch.ts'
import { reconcileCall, runReaper } from '../../voice/dispatch/reaper.ts'
import { receiveVerified } from '../../voice/events/event.ts'
import type { Simulator } from '../../voice/providers/simulator.ts'
import type { Message } from '../../voice/providers/telephony.ts'
import { hangUp, leaveMessage } from '../../voice/transitions/control.ts'
import type { SendMail } from '../mail.ts'
import { applyRetention } from './retention.ts'

interface Dependencies {
  sendMail: SendMail
  simulator: Simulator
}

const reportTo = (services: Services) => (message: Message) => receiveVerified(services, 'simulator', message)

export function queueHandlers(services: Services, { sendMail, simulator }: Dependencies): QueueHandlers {
  return {
    retention: async ({ signal }) => services.log.info(await applyRetention(services, signal), 'retention applied'),
    mail: ({ payload }) => sendMail(openMail(services, payload)),
    'suggestion-expiry': async ({ signal }) => void (await expireSuggestions(services, signal)),
    'contact-reminder': ({ payload }) => remind(services, payload),
    'contact-import': ({ payload, attempt, signal }) =>
      runImport(services, { payload, signal, isLast: attempt > queueItemSettings['contact-import'].retryLimit }),
    'contact-bulk': ({ payload, attempt, signal }) =>
      runBulkChange(services, { payload, signal, isLast: attempt > queueItemSettings['contact-bulk'].retryLimit }, enrichContacts),
    'agent-provision': ({ payload, attempt }) =>
      provisionAgent(services, payload, { isLast: attempt > queueItemSettings['agent-provision'].retryLimit }),
    'call-dispatch': ({ payload: { orgId, callId } }) => dispatchDue(services, orgId, callId),
    'call-reconcile': ({ payload: { orgId, callId } }) => reconcileCall(services, orgId, callId),
    'call-act': async ({ payload: { orgId, callId, act } }) => {
      const done = await (act === 'hang_up' ? hangUp(services, orgId, callId) : leaveMessage(services, orgId, callId))
      if (!done) throw new Error('The provider could not be asked')
    },
    'call-values': async ({ payload }) => void (await suggestFromCall(services, payload)),
    'call-watch': ({ signal }) => runReaper(services, signal),
    'simulated-call': ({ payload }) => services.fairQueue(payload.orgId, () => simulator.play(payload, reportTo(services)), 'background'),
    'credits-due': ({ signal }) => bringDueAccountsUpToDate(services, signal),
    'run-charge': ({ payload }) => deductFor(services, payload),
  }
}

/** Called when a queue item is given up, for nouns that must show this end. The reaper ends calls of other providers, and `rolocom tasks` lists the rest. */
export const queueEndings = (services: Services, { simulator }: Pick<Dependencies, 'simulator'>): QueueEndings => ({
  'contact-import': (payload, reason) => failImport(services, payload, reason),
  'contact-bulk': (payload, reason) => failBulkChange(services, payload, reason),
  'agent-provision': (payload, reason) => failProvisioning(services, payload, reason),
  'simulated-call': ({ callId }, reason) => simulator.giveUp(callId, reason, reportTo(services)),
})
