// Retention of sessions, links, invitations and counted sign-in attempts.

import { dayMs, hourMs, prune } from '../kernel/retention.sql.ts'

export const identityRetention = {
  // Ended sessions stay a month, so that the list of sessions can explain them.
  sessions: prune('sessions', 'sessions', 'expires_at < $1::timestamptz or revoked_at < $1::timestamptz', () => 30 * dayMs),
  signIns: prune('idp_sessions', 'idp_sessions', 'expires_at < $1::timestamptz', () => 0),
  verifications: prune('idp_verifications', 'idp_verifications', 'expires_at < $1::timestamptz', () => 0),
  // Used, revoked or expired: none of them can be accepted.
  invitations: prune('invitations', 'invitations', 'expires_at < $1::timestamptz', () => 30 * dayMs),
  signInAttempts: prune('idp_sign_in_attempts', 'idp_sign_in_attempts', 'began_at < $1::timestamptz', () => hourMs, 'account'),
}
