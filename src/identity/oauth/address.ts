// The addresses of OAuth: the authorization server of this server, and the resource that its access tokens are for.

import type { Config } from '../../config/environment.ts'
import { baseUrl } from '../provider/address.ts'

const serverMetadataPath = '/.well-known/oauth-authorization-server'
const resourceMetadataPath = '/.well-known/oauth-protected-resource'
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** The issuer of access tokens (RFC 8414). */
export const issuerOf = (config: Config): string => baseUrl(config)

/** The resource of access tokens (RFC 8707). */
export const resourceOf = (config: Config): string => `${baseUrl(config)}/mcp`

export const resourceMetadataOf = (config: Config): string => `${baseUrl(config)}${resourceMetadataPath}/mcp`

// The path of PUBLIC_URL, which clients insert behind the name of the document (RFC 8414, 3.1). A proxy that takes it away from other paths
// cannot do so there.
const insertedPath = (config: Config): string => new URL(issuerOf(config)).pathname.replace(/\/$/, '')

export const serverMetadataPaths = (config: Config): string[] => [serverMetadataPath, serverMetadataPath + insertedPath(config)]

/** With the path of the resource inserted, and the path where clients look next (RFC 9728, 3.1). */
export const resourceMetadataPaths = (config: Config): string[] => [
  ...[`${resourceMetadataPath}/mcp`, resourceMetadataPath],
  `${resourceMetadataPath}${insertedPath(config)}/mcp`,
]
