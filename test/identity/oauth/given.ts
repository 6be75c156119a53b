// OAuth in tests: a client that remembers what it is told, the person who agrees, and single requests without an SDK.

import { createHash, randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { Json, TestApp } from '../../support/app.ts'

export const callback = 'http://127.0.0.1:4711/callback'

export interface Remembered extends OAuthClientProvider {
  clientMetadataUrl?: string
  /** Where the SDK would have opened a browser. */
  opened: URL | null
  client: StoredOAuthClientInformation | undefined
  known: StoredOAuthTokens | undefined
}

/** What an application keeps for the SDK's client. */
export function remembering(): Remembered {
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  return {
    opened: null,
    client: undefined,
    known: undefined,
    redirectUrl: callback,
    clientMetadata: { client_name: 'Test Agent', redirect_uris: [callback] },
    state: () => 'the state',
    clientInformation() {
      return this.client
    },
    saveClientInformation(client) {
      this.client = client
    },
    tokens() {
      return this.known
    },
    saveTokens(tokens) {
      this.known = tokens
    },
    redirectToAuthorization(url) {
      this.opened = url
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
    invalidateCredentials(what) {
      if (what === 'tokens' || what === 'all') this.known = undefined
    },
    discoveryState: () => discovered,
    saveDiscoveryState(state) {
      discovered = state
    },
  }
}

const names = {
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  response_type: 'responseType',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  scope: 'scope',
  resource: 'resource',
  state: 'state',
} as const

/** The variables of the query and the mutation, from the address that a client opens. */
const variablesOf = (url: URL) =>
  Object.fromEntries(
    Object.entries(names).flatMap(([wire, name]) => (url.searchParams.has(wire) ? [[name, url.searchParams.get(wire)]] : [])),
  )

const requestQuery = `query ($clientId: String!, $redirectUri: String!, $responseType: String, $codeChallenge: String, $codeChallengeMethod: String,
  $scope: String, $resource: String, $state: String) {
  oauthRequest(clientId: $clientId, redirectUri: $redirectUri, responseType: $responseType, codeChallenge: $codeChallenge,
    codeChallengeMethod: $codeChallengeMethod, scope: $scope, resource: $resource, state: $state) {
    clientName publishedBy redirectsTo scopes deniedTo } }`

/** What the consent page is told: the request, or the extensions of its error. */
export async function ask(app: TestApp, url: URL, session?: string): Promise<Json> {
  const { body } = await app.graphql(requestQuery, variablesOf(url), session === undefined ? {} : { session })
  return body.errors ? body.errors[0].extensions : body.data.oauthRequest
}

/** Agrees as the consent page does, to all scopes or those given. Resolves with the address to go to, or the extensions of the error. */
export async function agree(app: TestApp, url: URL, session: string, scopes?: readonly string[], orgId?: string): Promise<Json> {
  const input = { ...variablesOf(url), scopes: scopes ?? (await ask(app, url, session)).scopes }
  const { body } = await app.graphql(
    'mutation ($input: AllowOAuthClientInput!) { allowOAuthClient(input: $input) { redirectTo } }',
    { input },
    { session, ...(orgId !== undefined && { headers: { 'x-org-id': orgId } }) },
  )
  return body.errors ? body.errors[0].extensions : new URL(body.data.allowOAuthClient.redirectTo)
}

export const register = (app: TestApp, metadata: Json = {}, headers: Record<string, string> = {}) =>
  app.rest('POST', '/oauth/register', { body: { client_name: 'Test Agent', redirect_uris: [callback], ...metadata }, headers })

export const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** The address that a client without an SDK opens. */
export function authorization(app: TestApp, clientId: string, given: Record<string, string | null> = {}): URL {
  const url = new URL('/oauth/authorize', app.url)
  const parameters = {
    ...{ client_id: clientId, redirect_uri: callback, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' },
    ...{ resource: `${app.url}/mcp`, state: 'the state', scope: 'contacts:read contacts:write', ...given },
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return url
}

/** Sends a form, as RFC 6749 has it. */
export async function send(
  app: TestApp,
  path: string,
  form: Record<string, string> | string,
): Promise<{ status: number; body: Json; headers: Headers }> {
  const response = await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
}

/** The whole way without an SDK: resolves with the client, its code, and the requests that exchange and refresh. */
export async function connected(app: TestApp, session: string, given: Record<string, string | null> = {}, scopes?: readonly string[]) {
  const clientId: string = (await register(app)).body.client_id
  const answer: URL = await agree(app, authorization(app, clientId, given), session, scopes)
  const code = answer.searchParams.get('code') ?? ''
  const exchange = (other: Record<string, string> = {}) =>
    send(app, '/oauth/token', {
      ...{ grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier, redirect_uri: callback },
      ...{ resource: `${app.url}/mcp`, ...other },
    })
  const refresh = (refreshToken: string, other: Record<string, string> = {}) =>
    send(app, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, ...other })
  return { clientId, code, exchange, refresh }
}
