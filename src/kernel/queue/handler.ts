// Handlers of queue items. A domain exports one for each kind that it works on; the server collects them. Apart from item.ts, because
// `Services` has the queue, which knows the kinds of items.

import type { Services } from '../context.ts'
import type { Handler, QueueItem, RunningItem } from './item.ts'

/** The handler of a process with these services. */
export type HandlerOf = (services: Services) => Handler

/** `giveUp` ends the work of an item that is given up because its process died too often. The item itself is dead then. */
export const handlerOf =
  <Payload extends object>(
    item: QueueItem<Payload>,
    work: (services: Services, running: RunningItem<Payload>) => Promise<unknown>,
    giveUp?: (services: Services, payload: Payload, reason: string) => Promise<void>,
  ): HandlerOf =>
  services => {
    const handler: Handler<Payload> = {
      item,
      work: running => work(services, running),
      ...(giveUp && { giveUp: (payload, reason) => giveUp(services, payload, reason) }),
    }
    return handler
  }
