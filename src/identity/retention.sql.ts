// Retention of sessions, links, invitations and counted sign-in attempts.

import { dayMs, prune } from '../kernel/retention.sql.ts'

export const identityRetention = {
  // Ended sessions are kept for a month, because the list of sessions shows why they ended.
  sessions: prune('sessions', 'sessions', 'expires_at < $1::timestamptz or revoked_at < $1::timestamptz', () => 30 * dayMs),
  signIns: prune('idp_sessions', 'idp_sessions', 'expires_at < $1::timestamptz', () => 0),
  verifications: prune('idp_verifications', 'idp_verifications', 'expires_at < $1::timestamptz', () => 0),
  // Used, revoked or expired invitations; none of them can be accepted.
  invitations: prune('invitations', 'invitations', 'expires_at < $1::timestamptz', () => 30 * dayMs),
  ownershipOffers: prune('ownership_offers', 'ownership_offers', 'expires_at < $1::timestamptz', () => 30 * dayMs),
  // The counted rows of the daily limits.
  invitationMails: prune('invitation_mails', 'invitation_mails', 'sent_at < $1::timestamptz', () => dayMs),
  // No queue item is tried again after a day.
  mailHandovers: prune('mail_handovers', 'mail_handovers', 'handed_at < $1::timestamptz', () => 2 * dayMs),
  authorizationCodes: prune('authorization_codes', 'authorization_codes', 'expires_at < $1::timestamptz', () => dayMs),
  deviceAuthorizations: prune('device_authorizations', 'device_authorizations', 'expires_at < $1::timestamptz', () => dayMs),
  // Ended grants are kept for a month, so that a client that its user has used before is known for so long.
  oauthGrants: prune('oauth_grants', 'oauth_grants', 'expires_at < $1::timestamptz or revoked_at < $1::timestamptz', () => 30 * dayMs),
  // A refresh token lives for 30 days, and is recognized for as long when it comes a second time.
  oauthTokens: prune('oauth_tokens', 'oauth_tokens', 'created_at < $1::timestamptz', () => 31 * dayMs),
  oauthClients: prune(
    'oauth_clients',
    'oauth_clients',
    'created_at < $1::timestamptz and not exists (select from oauth_grants g where g.client_id = oauth_clients.id)',
    () => dayMs,
  ),
  signInAttempts: prune('idp_sign_in_attempts', 'idp_sign_in_attempts', 'began_at < $1::timestamptz', () => dayMs, 'account'),
}
