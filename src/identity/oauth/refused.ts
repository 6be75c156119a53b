// A refusal of an OAuth endpoint: an error code of RFC 6749, 7591 or 8707, and a sentence.

export type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unauthorized_client'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

export class Refused extends Error {
  readonly error: OauthError

  constructor(error: OauthError, message: string) {
    super(message)
    this.name = 'Refused'
    this.error = error
  }
}
