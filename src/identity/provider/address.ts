// Paths and names of the embedded identity provider: base path, issuer, audience.

import type { Config } from '../../config/environment.ts'

// Constants rather than an address: replicas have different addresses but share the keys, and accept each other's tokens.
export const issuer = 'rolocom'
export const audience = 'rolocom'
export const basePath = '/idp'
export const jwksPath = '/.well-known/jwks.json'

/** The header with the invitation of a new user who signs up. */
export const invitationHeader = 'x-invitation'

export const baseUrl = ({ PUBLIC_URL, HOST, PORT }: Config) => PUBLIC_URL ?? `http://${HOST}:${PORT}`
