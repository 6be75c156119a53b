// What the tests of contacts ask, through the GraphQL door, and how they get at the answers.

import type { Json, TestApp } from '../support/app.ts'

/** Fields that tell one contact from another. */
export const brief = 'id email firstName lastName version'

export interface Asking {
  orgId: string
  key: string
  /** The whole body of the answer. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Json>
  /** `data` of an answer without errors. */
  data(query: string, variables?: Record<string, unknown>): Promise<Json>
  /** `extensions` of the first error, which there must be. */
  error(query: string, variables?: Record<string, unknown>): Promise<Json>
  /** Adds a contact and returns the selected fields. */
  create(input?: Json, selection?: string): Promise<Json>
}

/** A fresh organization with a key that may do everything. */
export async function askingIn(app: TestApp): Promise<Asking> {
  const { key, orgId } = await app.given.apiKey()
  return asking(app, { key, orgId })
}

export function asking(app: TestApp, { key, session, orgId }: { key?: string; session?: string; orgId: string }): Asking {
  const credential = { ...(key !== undefined && { key }), ...(session !== undefined && { session }) }
  const ask = async (query: string, variables?: Record<string, unknown>) => (await app.graphql(query, variables, credential)).body
  const data = async (query: string, variables?: Record<string, unknown>) => {
    const body = await ask(query, variables)
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data
  }
  return {
    orgId,
    key: key ?? '',
    ask,
    data,
    async error(query, variables) {
      const body = await ask(query, variables)
      if (!body.errors) throw new Error(`no error, but ${JSON.stringify(body.data)}`)
      return body.errors[0].extensions
    },
    async create(input = {}, selection = brief) {
      const created = await data(`mutation ($input: CreateContactInput!) { createContact(input: $input) { ${selection} } }`, { input })
      return created.createContact
    },
  }
}

/** Asks until the credential is known to the process and nothing else is going on: from now on statements can be counted. */
export async function warm(app: TestApp, on: Asking): Promise<void> {
  for (let quiet = 0, tries = 0; quiet < 3 && tries < 100; tries++) {
    app.statements()
    await on.data('{ contacts(first: 1) { nodes { id } } }')
    quiet = app.statements() === 1 ? quiet + 1 : 0
  }
}

/** The problems of an INVALID answer as `path: message`. */
export const problemsOf = (extensions: Json): string[] =>
  extensions.problems.map(({ path, message }: Json) => `${path.join('.')}: ${message}`)
