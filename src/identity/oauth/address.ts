// The addresses of OAuth: the authorization server of this server, and the resource that its access tokens are for.

import type { Config } from '../../config/environment.ts'
import { baseUrl } from '../provider/address.ts'

export const serverMetadataPath = '/.well-known/oauth-authorization-server'
/** With the path of the resource inserted, and the path where clients look next (RFC 9728, 3.1). */
export const resourceMetadataPaths = ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'] as const
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** The issuer of access tokens (RFC 8414). */
export const issuerOf = (config: Config): string => baseUrl(config)

/** What access tokens are for (RFC 8707). */
export const resourceOf = (config: Config): string => `${baseUrl(config)}/mcp`

export const resourceMetadataOf = (config: Config): string => `${baseUrl(config)}${resourceMetadataPaths[0]}`
