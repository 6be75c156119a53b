// Metadata for clients: the issuer of tokens for /mcp (RFC 9728), and its endpoints (RFC 8414).

import type { Config } from '../../config/environment.ts'
import { issuerOf, oauthPaths, resourceOf } from './address.ts'
import { offeredScopes } from './scopes.ts'

export const resourceMetadata = (config: Config) => ({
  resource: resourceOf(config),
  resource_name: 'Rolocom',
  resource_documentation: `${issuerOf(config)}/docs/guides/mcp`,
  authorization_servers: [issuerOf(config)],
  scopes_supported: offeredScopes,
  bearer_methods_supported: ['header'],
})

export const serverMetadata = (config: Config) => {
  const issuer = issuerOf(config)
  return {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorize,
    token_endpoint: issuer + oauthPaths.token,
    registration_endpoint: issuer + oauthPaths.register,
    revocation_endpoint: issuer + oauthPaths.revoke,
    service_documentation: `${issuer}/docs/guides/mcp`,
    scopes_supported: offeredScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}
