// contacts create: one contact, of named flags and of `-f name=value` for the other fields.

import type { Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { printJson } from '../output/print.ts'
import { connect } from '../session/connect.ts'
import { pairOf, printContact, type Stage } from './fields.ts'

export interface Flags extends CommonFlags {
  email: string
  firstName?: string
  lastName?: string
  phone?: string
  company?: string
  jobTitle?: string
  stage?: Stage
  tag?: string[]
  field?: string[]
  onConflict?: 'update' | 'skip'
  dryRun?: boolean
}

export async function create(this: Terminal, flags: Flags): Promise<void> {
  const { email, firstName, lastName, phone, company, jobTitle, stage, tag, field = [], onConflict, dryRun } = flags
  const others = field.map(pairOf)
  const custom = others.filter(([name]) => name.startsWith('custom.')).map(([name, value]) => [name.slice('custom.'.length), value])
  const body = {
    ...{ email, first_name: firstName, last_name: lastName, phone, company_name: company, job_title: jobTitle },
    ...{ lifecycle_stage: stage, tags: tag },
    ...Object.fromEntries(others.filter(([name]) => !name.startsWith('custom.'))),
    ...(custom.length > 0 && { custom: Object.fromEntries(custom) }),
  }
  const contact = await connect(this, flags).post('/api/crm/v1/contacts', { body, query: { on_conflict: onConflict, dry_run: dryRun } })
  // A dry run answers what it would do, in place of the contact.
  if (dryRun) printJson(this, contact)
  else printContact(this, flags, contact)
}
