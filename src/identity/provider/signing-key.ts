// The key with which the embedded provider signs. The database keeps it encrypted with IDENTITY_SECRET, so it shows whether that is the secret of
// this database.

import type { Services } from '../../kernel/context.ts'
import { selectSigningKey } from './provider.sql.ts'

/**
 * Whether the database has a signing key that IDENTITY_SECRET does not decrypt: the secret was lost or changed, and nobody can sign in. Signing
 * secrets of agents and webhook endpoints, which derive from it, have changed too.
 */
export async function isSecretLost({ config, database }: Services): Promise<boolean> {
  if (config.IDENTITY_ISSUER !== undefined) return false
  const [key] = await database.query(selectSigningKey)
  if (!key) return false
  const { symmetricDecrypt } = await import('better-auth/crypto')
  return await symmetricDecrypt({ key: config.IDENTITY_SECRET ?? '', data: JSON.parse(key.privateKey) }).then(
    () => false,
    () => true,
  )
}

/** Deletes the signing keys; the next start makes one with the present secret. Tokens of the last five minutes are void, sessions are not. */
export async function forgetSigningKeys({ database }: Services): Promise<number> {
  return (await database.prisma.idpJwks.deleteMany()).count
}
