// The part of the crash script that spends: every acknowledged deduct is in the ledger once, and the ledger adds up.

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Server } from './server.ts'

export interface Finding {
  kind: 'lost' | 'doubled' | 'torn'
  text: string
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const serviceToken = 'crash-services-token-0123456789'
const amount = 0.25
const given = 1_000_000
/** The price of a run; heartbeats are runs too. */
export const runPrice = 0.0001

/** Spends from the account of the first organization's owner. */
export function crashCredits(dataDir: string, found: (kind: Finding['kind'], text: string) => void) {
  /** Acknowledged deducts: their reference, and the entry they were answered with. */
  const journal = new Map<string, string>()
  let unknown: string[] = []
  let payer: { userId: string; before: number } | undefined

  const ask = async (url: string, path: string, { body, userId, key }: { body?: object; userId?: string; key?: string } = {}) => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        'x-svc-services-token': serviceToken,
        'content-type': 'application/json',
        ...(userId && { 'x-user-id': userId }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      body: (await response.json()) as Record<string, never> & { data: Record<string, unknown>[]; total: number },
    }
  }
  const deduct = (url: string, reference: string) =>
    ask(url, '/api/credits/deduct', { body: { user_id: payer?.userId, amount, reference }, key: reference })

  // The payer, known from the first response on. The grant for all rounds has a key, so it is given once.
  const open = async (server: Server) => {
    if (payer) return
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ creditBalance { userId } }' }),
    })
    const { data } = (await response.json()) as { data: { creditBalance: { userId: string } } }
    const { userId } = data.creditBalance
    const { body } = await ask(server.url, '/api/credits/grant', { body: { user_id: userId, amount: given }, key: 'crash-grant' })
    payer = { userId, before: (body.transaction as unknown as { balance_after: number }).balance_after }
  }

  return {
    environment: { SVC_SERVICES_TOKEN: serviceToken },
    get acknowledged() {
      return journal.size
    },
    open,
    /** Deducts until the server is gone. */
    async client(url: string, until: AbortSignal): Promise<void> {
      while (!until.aborted) {
        const reference = randomUUID()
        try {
          const { status, body } = await deduct(url, reference)
          if (status === 200) journal.set(reference, body.transaction_id as unknown as string)
          else if (status >= 500 || status === 409) unknown.push(reference)
          else found('lost', `a deduct answered ${status}: ${JSON.stringify(body)}`)
        } catch {
          unknown.push(reference)
          return
        }
      }
    },
    /** Repeats the requests without a response, with their keys: each must have happened once, or not yet. */
    async replay(url: string): Promise<void> {
      const asked = unknown
      unknown = []
      for (const reference of asked)
        for (let attempt = 0; ; attempt++) {
          const { status, body } = await deduct(url, reference)
          if (status === 200) {
            journal.set(reference, body.transaction_id as unknown as string)
            break
          }
          if (attempt === 50) throw new Error(`a deduct is still not answered: ${status} ${JSON.stringify(body)}`)
          await sleep(100)
        }
    },
    /** Compares the number of entries and the balance with the acknowledged deducts, and runs the audit. */
    async count(url: string): Promise<void> {
      if (!payer) return
      const { userId, before } = payer
      const { body: debits } = await ask(url, '/api/credits/transactions?limit=1&type=debit&include=total', { userId })
      if (debits.total !== journal.size) found('torn', `${journal.size} deducts were acknowledged, ${debits.total} are in the ledger`)
      const runs = async () => (await ask(url, '/api/credits/transactions?limit=1&type=settle&include=total', { userId })).body.total
      // Runs are charged meanwhile: the balance counts that was read while no run was charged.
      for (let charged = await runs(); ; ) {
        const { body: balance } = await ask(url, '/api/credits/balance', { userId })
        const after = await runs()
        const left = Math.round((before - journal.size * amount - charged * runPrice) * 1e6) / 1e6
        if (charged === after && (balance.balance as unknown as number) !== left)
          found('torn', `the balance is ${balance.balance}, ${left} were expected`)
        if (charged === after) break
        charged = after
      }

      const audit = spawnSync(process.execPath, [main, 'audit', 'credits'], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
        encoding: 'utf8',
      })
      if (audit.status !== 0) found('torn', `the audit ended with ${audit.status}: ${audit.stdout}${audit.stderr}`)
    },
    /** Each acknowledged deduct is one entry, the one it was answered with, and there are no others. */
    async verify(url: string): Promise<void> {
      if (!payer) return
      const { userId } = payer
      const entries = new Map<string, string[]>()
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: string = `limit=200&type=debit${cursor && `&cursor=${cursor}`}`
        const { body } = await ask(url, `/api/credits/transactions?${query}`, { userId })
        for (const { id, reference } of body.data as { id: string; reference: string }[])
          entries.set(reference, [...(entries.get(reference) ?? []), id])
        cursor = body.next_cursor as unknown as string | null
      }
      for (const [reference, id] of journal) {
        const [first, ...others] = entries.get(reference) ?? []
        if (first !== id) found('lost', `deduct ${reference} was answered with entry ${id}, and there is ${first}`)
        if (others.length > 0) found('doubled', `deduct ${reference} has ${others.length + 1} entries`)
      }
      for (const reference of entries.keys()) if (!journal.has(reference)) found('torn', `deduct ${reference} was never acknowledged`)
    },
  }
}
