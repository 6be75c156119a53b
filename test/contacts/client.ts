// A GraphQL client for the tests of contacts.

import type { Json, TestApp } from '../support/app.ts'

/** The fields that `create` selects by default. */
const brief = 'id email firstName lastName version'

export interface Client {
  orgId: string
  key: string
  /** The whole response body. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Json>
  /** `data` of the response. Throws if there are errors. */
  data(query: string, variables?: Record<string, unknown>): Promise<Json>
  /** `extensions` of the first error. Throws if there is none. */
  error(query: string, variables?: Record<string, unknown>): Promise<Json>
  /** Adds a contact and returns the selected fields. */
  create(input?: Json, selection?: string): Promise<Json>
}

/** A new organization, with an API key that has all scopes. */
export async function clientIn(app: TestApp): Promise<Client> {
  const { key, orgId } = await app.given.apiKey()
  return clientWith(app, { key, orgId })
}

export function clientWith(app: TestApp, { key, session, orgId }: { key?: string; session?: string; orgId: string }): Client {
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

/** Sends queries until the credential is cached and no background statements run, so that a test can count its own statements. */
export async function warm(app: TestApp, on: Client): Promise<void> {
  for (let quiet = 0, tries = 0; quiet < 3 && tries < 100; tries++) {
    app.statements()
    await on.data('{ contacts(first: 1) { nodes { id } } }')
    quiet = app.statements() === 1 ? quiet + 1 : 0
  }
}

/** The problems of an INVALID error as `path: message`. */
export const problemsOf = (extensions: Json): string[] =>
  extensions.problems.map(({ path, message }: Json) => `${path.join('.')}: ${message}`)

/** The number of fields of a type of the schema. */
export const fieldCount = async (on: Client, type: string): Promise<number> =>
  (await on.data('query ($type: String!) { __type(name: $type) { fields { name } } }', { type })).__type.fields.length
