// contacts get: one contact, by its id or its address.

import { CommandError, type Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { connect } from '../session/connect.ts'
import { printContact } from './fields.ts'

export async function get(this: Terminal, flags: CommonFlags, named: string): Promise<void> {
  const client = connect(this, flags)
  if (!named.includes('@'))
    return printContact(this, flags, await client.get('/api/crm/v1/contacts/{contact_id}', { path: { contact_id: named } }))
  const { data } = await client.get('/api/crm/v1/contacts', { query: { email: named, limit: 1 } })
  const [contact] = data
  if (!contact) throw new CommandError(`No contact has the address ${named}`)
  printContact(this, flags, contact)
}
