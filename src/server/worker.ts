// Runs due tasks: task name -> rule.

import type { Services } from './context.ts'
import { seeToDueAccounts } from './credits/due.ts'
import { suggestFromCall } from './enrichment/call-values.ts'
import { expireSuggestions } from './enrichment/suggestion-expiry.ts'
import { deductFor } from './gateway/session-api.ts'
import type { SendMail } from './mail.ts'
import { openMail } from './mail-queue.ts'
import { applyRetention } from './retention.ts'
import { type TaskHandlers, taskSettings } from './tasks.ts'
import { hangUp, leaveMessage } from './voice/call-act.ts'
import { dispatchDue } from './voice/call-dispatch.ts'
import { reconcileCall, watchCalls } from './voice/call-watch.ts'
import { hear } from './voice/provider-event.ts'
import { provisionAgent } from './voice/provisioning.ts'
import type { Simulator } from './voice/telephony/simulator.ts'

export interface Means {
  sendMail: SendMail
  simulator: Simulator
}

export function taskHandlers(services: Services, { sendMail, simulator }: Means): TaskHandlers {
  return {
    retention: async ({ signal }) => services.log.info(await applyRetention(services, signal), 'retention applied'),
    mail: ({ payload }) => sendMail(openMail(services, payload)),
    'suggestion-expiry': async ({ signal }) => void (await expireSuggestions(services, signal)),
    'agent-provision': ({ payload, attempt }) =>
      provisionAgent(services, payload, { isLast: attempt > taskSettings['agent-provision'].retryLimit }),
    'call-dispatch': ({ payload: { orgId, callId } }) => dispatchDue(services, orgId, callId),
    'call-reconcile': ({ payload: { orgId, callId } }) => reconcileCall(services, orgId, callId),
    'call-act': async ({ payload: { orgId, callId, act } }) => {
      const done = await (act === 'hang_up' ? hangUp(services, orgId, callId) : leaveMessage(services, orgId, callId))
      if (!done) throw new Error('The provider could not be asked')
    },
    'call-values': async ({ payload }) => void (await suggestFromCall(services, payload)),
    'call-watch': ({ signal }) => watchCalls(services, signal),
    'simulated-call': ({ payload }) => simulator.play(payload, message => hear(services, 'simulator', message)),
    'credits-due': ({ signal }) => seeToDueAccounts(services, signal),
    'run-charge': ({ payload }) => deductFor(services, payload),
  }
}
