// Values that fill the texts of a trial. They are kept with the call, because a trial belongs to no contact that could be read when it dials.

import { contactAt } from '../../contacts/contact/contact.sql.ts'
import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import type { VoiceAgent } from '../agents/agent.sql.ts'
import { contactValue, placeholderNames, placeholdersIn } from '../agents/placeholders.ts'
import type { CallOrder } from './input.ts'

// The person that the simulator plays.
const samplePerson: Readonly<Record<string, string>> = {
  first_name: 'Robin',
  last_name: 'Meyer',
  full_name: 'Robin Meyer',
  email: 'robin.meyer@northwind.example',
  job_title: 'Head of Operations',
  company_name: 'Northwind Traders',
  company_domain: 'northwind.example',
  city: 'Hamburg',
}

/** The order's variables, and values of the contact, or else of a sample person, for the placeholders of the agent's texts. */
export async function trialVariables(
  context: Context,
  { instructions, firstMessage }: VoiceAgent,
  { variables, voicemailMessage }: Pick<CallOrder, 'variables' | 'voicemailMessage'>,
  contactId: string | null,
): Promise<Record<string, unknown>> {
  const names = placeholdersIn(instructions, firstMessage, voicemailMessage).map(({ name }) => name)
  const wanted = names.filter(name => placeholderNames.includes(name) || name.startsWith('custom.'))
  if (wanted.length === 0) return variables
  // The values appear in the transcript and among the call's variables.
  if (contactId !== null) requireScope(context, 'contacts:read')
  const contact = contactId === null ? null : ((await contactAt(context, organizationOf(context), contactId)) ?? null)
  const filled = wanted.map(name => [name, (contact ? contactValue(contact, name) : samplePerson[name]) ?? ''])
  return { ...Object.fromEntries(filled), ...variables }
}
