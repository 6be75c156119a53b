// Statements on the identity provider's tables that Prisma lacks: locks, a conditional upsert, conditional and returning deletes.

import { statement } from '../../database/statement.ts'
import { boolean, integer, rows, text, timestamptz } from '../../database/table.ts'

export const lockSigningKey = statement('identity_lock_signing_key', `select from pg_advisory_xact_lock(hashtext('rolocom signing key'))`)

/** A start asks for it: through Prisma, an idle process would load its query compiler. */
export const selectSigningKey = statement(
  'idp_signing_key',
  'select private_key from idp_jwks order by created_at desc limit 1',
  rows({ privateKey: text }),
)

export const insertSigningKey = statement(
  'idp_insert_signing_key',
  'insert into idp_jwks (id, alg, crv, public_key, private_key) values ($1, $2, $3, $4, $5)',
)

/** Counts an attempt to sign in to an account with a password. The count starts again once $3 is past the time of the first attempt. */
export const countAttempt = statement(
  'idp_count_sign_in_attempt',
  `insert into idp_sign_in_attempts as a (account, attempts, began_at) values ($1, 1, $2)
   on conflict (account) do update set
     attempts = case when a.began_at <= $3 then 1 else a.attempts + 1 end,
     began_at = case when a.began_at <= $3 then $2 else a.began_at end
   returning attempts, began_at`,
  rows({ attempts: integer, beganAt: timestamptz }),
)

/** A share lock on the provider's session, which excludes `endSignIns` until the transaction ends. */
export const shareSignIn = statement(
  'session_share_sign_in',
  'select id from idp_sessions where id = $1 and user_id = $2 and expires_at > $3 for key share',
  rows({ id: text }),
)
export const deleteSignIns = statement(
  'idp_delete_sign_ins',
  'delete from idp_sessions where id = any($1) returning id, user_id, expires_at > $2 as is_live',
  rows({ id: text, userId: text, isLive: boolean }),
)

export const shareUser = statement('idp_share_user', 'select sign_outs from idp_users where id = $1 for share', rows({ signOuts: integer }))
export const lockUser = statement(
  'idp_lock_user',
  'select email_verified from idp_users where id = $1 for update',
  rows({ emailVerified: boolean }),
)
// A user whom nobody can have been yet: the address is not verified, and no session was opened.
const isUnused = 'not u.email_verified and not exists (select from users where id = u.id)'

/** The user, while nobody has used or verified the account. */
export const selectUnused = statement(
  'idp_select_unused',
  `select u.email from idp_users u where u.id = $1 and ${isUnused}`,
  rows({ email: text }),
)
/**
 * Deletes the user with an address unless the account is in use, with the links to a new password, whose value is the user's id. A user without
 * an account is being made by another request; after a minute, that request has failed.
 */
export const deleteUnused = statement(
  'idp_delete_unused',
  `with deleted as (
     delete from idp_users u where u.email = $1 and ${isUnused} and not exists (select from idp_sessions s where s.user_id = u.id)
       and (u.created_at < $2 or exists (select from idp_accounts a where a.user_id = u.id))
     returning u.id
   )
   delete from idp_verifications v using deleted where v.value = deleted.id`,
)
/** Deletes a user who has just signed up, unless the user has joined an organization or verified the address meanwhile. */
export const deleteNewcomer = statement(
  'idp_delete_newcomer',
  'delete from idp_users where id = $1 and not email_verified and not exists (select from users where id = $1)',
)
