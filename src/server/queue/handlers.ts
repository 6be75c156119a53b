// The handlers of queue items, from all domains.

import { archiveHandler } from '../../contacts/archives/write.ts'
import { followReplacedOwner } from '../../contacts/bulk/replaced-owner.ts'
import { bulkHandlers } from '../../contacts/bulk/run.ts'
import { backfillHandler } from '../../contacts/contact/company/backfill/backfill.ts'
import { followCompaniesHandler } from '../../contacts/contact/company/follow.ts'
import { importHandler } from '../../contacts/imports/run.ts'
import { importUndoHandler } from '../../contacts/imports/undo/undo.ts'
import { demoTasksHandler } from '../../contacts/tasks/demo.ts'
import { reminderHandler } from '../../contacts/tasks/reminder.ts'
import { accountsHandler } from '../../credits/accounts/due.ts'
import { sampleDataHandler } from '../../dashboard/sample-data/add.ts'
import { enrichContacts } from '../../enrichment/jobs/bulk/bulk.ts'
import { expiryHandler } from '../../enrichment/suggestions/expiry.ts'
import { callValuesHandler } from '../../enrichment/suggestions/from-call.ts'
import { chargeHandler } from '../../gateway/charges/credit-api.ts'
import { mailHandler } from '../../identity/mail.ts'
import { replacedHandler } from '../../identity/organizations/placeholder.ts'
import { returnHandler } from '../../inbox/items/return.ts'
import { mailsDueHandler } from '../../inbox/mails/send.ts'
import type { Services } from '../../kernel/context.ts'
import { declaredItems, type Handler } from '../../kernel/queue/item.ts'
import { provisionHandler } from '../../voice/agents/provisioning.ts'
import { leftHandler } from '../../voice/conversations/relay/left.ts'
import { dispatchHandler } from '../../voice/dispatch/dispatch.ts'
import { reaperHandler, reconcileHandler } from '../../voice/dispatch/reaper.ts'
import { receiveVerified } from '../../voice/events/event.ts'
import { type Simulator, simulatorHandler } from '../../voice/providers/simulator.ts'
import { controlHandler } from '../../voice/transitions/control.ts'
import { retentionHandler } from './retention.ts'

/** The handlers of a process. Throws for a kind that is declared and has none. */
export function queueHandlers(services: Services, simulator: Simulator): Handler[] {
  const handlers = [
    ...[retentionHandler, mailHandler, reminderHandler, importHandler, importUndoHandler, ...bulkHandlers(enrichContacts), accountsHandler],
    replacedHandler([followReplacedOwner]),
    demoTasksHandler,
    archiveHandler,
    followCompaniesHandler,
    backfillHandler,
    ...[leftHandler, provisionHandler, dispatchHandler, reconcileHandler, controlHandler, reaperHandler],
    simulatorHandler(simulator, (services, message) => receiveVerified(services, 'simulator', message)),
    ...[callValuesHandler, expiryHandler, chargeHandler, returnHandler, mailsDueHandler],
    sampleDataHandler,
  ].map(of => of(services))
  const handled = new Set(handlers.map(({ item }) => item.name))
  const without = declaredItems().filter(({ name }) => !handled.has(name))
  if (without.length > 0) throw new Error(`Queue items without a handler: ${without.map(({ name }) => name).join(', ')}`)
  return handlers
}
