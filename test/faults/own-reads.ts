// Clients that create a contact at one server and at once look for it in a list of another.

import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import type { Server } from '../crash/server.ts'
import { ask } from './traffic.ts'

interface OwnReads {
  /** How many contacts are created and looked for. */
  reads: number
  /** How many clients do so at once. */
  clients: number
  found(text: string): void
}

/** Counts the lists that did not show a contact whose creation had been acknowledged. Throws when a request fails. */
export async function ownReads(servers: readonly Server[], { reads, clients, found }: OwnReads): Promise<{ stale: number }> {
  const limit = pLimit(clients)
  let stale = 0
  const createAndFind = async (index: number) => {
    const [writer, reader] = [servers[index % servers.length], servers[(index + 1) % servers.length]]
    if (!writer || !reader) throw new Error('no server')
    const email = `${randomUUID()}@faults.example`
    const created = await ask(writer, 'POST', '/api/crm/v1/contacts', 10_000, { email })
    if (created.status !== 201) throw new Error(`a contact was answered ${created.status}`)
    const listed = await ask(reader, 'GET', `/api/crm/v1/contacts?email=${encodeURIComponent(email)}`, 10_000)
    if (listed.status !== 200) throw new Error(`a list was answered ${listed.status}`)
    if ((listed.body.data as unknown[]).length === 1) return
    stale++
    found(`${email} was created, and is not in the list`)
  }
  await Promise.all(Array.from({ length: reads }, (_, index) => limit(createAndFind, index)))
  return { stale }
}
