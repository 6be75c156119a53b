// Where the embedded identity provider is, and what it calls itself.

import type { Config } from '../config.ts'

// Not the address of this process: replicas have several, and share the keys, so what one issues the others accept.
export const issuer = 'rolocom'
export const audience = 'rolocom'
export const basePath = '/idp'
export const jwksPath = '/.well-known/jwks.json'

/** Carries the invitation of somebody new who signs up. */
export const invitationHeader = 'x-invitation'

export const baseUrl = ({ PUBLIC_URL, HOST, PORT }: Config) => (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/$/, '')
