// Retention of sessions, links, invitations and counted sign-in attempts.

import { dayMs, hourMs, prune } from '../kernel/retention.sql.ts'

export const identityRetention = {
  // Ended sessions are kept for a month, because the list of sessions shows why they ended.
  sessions: prune('sessions', 'sessions', 'expires_at < $1::timestamptz or revoked_at < $1::timestamptz', () => 30 * dayMs),
  signIns: prune('idp_sessions', 'idp_sessions', 'expires_at < $1::timestamptz', () => 0),
  verifications: prune('idp_verifications', 'idp_verifications', 'expires_at < $1::timestamptz', () => 0),
  // Used, revoked or expired invitations; none of them can be accepted.
  invitations: prune('invitations', 'invitations', 'expires_at < $1::timestamptz', () => 30 * dayMs),
  // What the daily limits count.
  invitationMails: prune('invitation_mails', 'invitation_mails', 'sent_at < $1::timestamptz', () => dayMs),
  authorizationCodes: prune('authorization_codes', 'authorization_codes', 'expires_at < $1::timestamptz', () => dayMs),
  deviceAuthorizations: prune('device_authorizations', 'device_authorizations', 'expires_at < $1::timestamptz', () => dayMs),
  signInAttempts: prune('idp_sign_in_attempts', 'idp_sign_in_attempts', 'began_at < $1::timestamptz', () => hourMs, 'account'),
}
