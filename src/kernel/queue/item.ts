// Kinds of queue items. The domain that queues an item declares its kind: a name, the type of its payload, and how often it is tried.

interface Settings {
  /** The number of attempts after the first. Then the item is dead, unless it has a `cron`. */
  retryLimit: number
  /** Seconds before the first retry. The delay doubles each time, with jitter. */
  retryDelaySeconds: number
  /** Seconds after which a running handler is aborted, and the item is retried. */
  timeoutSeconds: number
  /** How many items of this kind one process works on at once. */
  concurrency: number
  /** How many of them a worker claims, runs and completes together. Default: 1. */
  batchSize?: number
  /** How many items of one organization run at once, in all processes together: its many long items leave room for another's. Default: all. */
  perOrganization?: number
  /** The schedule of a repeating item: a cron expression in UTC. */
  cron?: string
}

/** A kind of item. */
export interface QueueItem<Payload extends object> extends Settings {
  /** Stored with each item and its schedule. A new name needs a data migration. */
  name: string
  /** The type of the payload. Never set. */
  takes?(payload: Payload): void
}

/** An item that a worker has claimed. */
export interface RunningItem<Payload extends object> {
  id: string
  payload: Payload
  /** 1 for the first attempt. */
  attempt: number
  /** Whether a failure of this attempt is final. */
  isLast: boolean
  /** Aborted when the item has timed out or another worker has claimed it. */
  signal: AbortSignal
}

/** The handler of the items of a kind. */
export interface Handler<Payload extends object = never> {
  item: QueueItem<Payload>
  work(running: RunningItem<Payload>): Promise<unknown>
  /** Ends the work of an item that is given up because its process died too often. The item itself is dead then. */
  giveUp?(payload: Payload, reason: string): Promise<void>
}

const declared = new Map<string, QueueItem<never>>()
/** Every kind of item that the loaded modules declare. */
export const declaredItems = (): readonly QueueItem<never>[] => [...declared.values()]

/** Declares a kind of item. Without a type its payload is empty. */
export function queueItem<Payload extends object = Record<string, never>>(name: string, settings: Settings): QueueItem<Payload> {
  if (declared.has(name)) throw new Error(`There are two kinds of queue items named ${name}`)
  const item: QueueItem<Payload> = { name, ...settings }
  declared.set(name, item)
  return item
}
