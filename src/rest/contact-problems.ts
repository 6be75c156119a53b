// What the rules refuse in a contact's fields, for requests that are refused for another reason anyway: callers hear all of it at once.

import { checkedContacts } from '../contacts/contact-check.ts'
import { type ContactPatch, readContact } from '../contacts/contact-input.ts'
import { type Context, organizationOf } from '../context.ts'
import { AppError, type Problem } from '../errors.ts'
import { snakeCase } from './answer.ts'
import { camelCased } from './inputs.ts'
import type { Fields } from './route.ts'

/** Of one contact. */
export async function problemsOfContact(fields: Fields, context: Context): Promise<readonly Problem[]> {
  return (await problemsOf([fields], context)).flat()
}

/** Of the rows of a batch. */
export async function problemsOfContacts({ contacts }: Fields, context: Context): Promise<readonly Problem[]> {
  // A list, where nothing was found wrong with it.
  const all = await problemsOf((contacts ?? []) as readonly Fields[], context)
  return all.flatMap((problems, index) => problems.map(problem => ({ ...problem, path: ['contacts', index, ...problem.path] })))
}

async function problemsOf(rows: readonly Fields[], context: Context): Promise<Problem[][]> {
  const inputs = rows.map(inputOf)
  const orgId = chosenOrganization(context)
  const all = orgId === null ? inputs.map(readContact) : await checkedContacts(context, orgId, inputs)
  return all.map(({ problems }) => problems.map(spelled))
}

// The shapes in inputs.ts, which every field here has passed, are those of the rules' input.
function inputOf(fields: Fields): ContactPatch {
  const { last_contacted_at: time } = fields
  return camelCased({ ...fields, ...(typeof time === 'string' && { last_contacted_at: new Date(time) }) }) as ContactPatch
}

const spelled = (problem: Problem): Problem => {
  const [field, ...inside] = problem.path
  return { ...problem, path: [snakeCase(String(field)), ...inside] }
}

// That the caller has still to choose one was found before. Then nothing is known of members and custom fields.
function chosenOrganization(context: Context): string | null {
  try {
    return organizationOf(context)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID') return null
    throw error
  }
}
