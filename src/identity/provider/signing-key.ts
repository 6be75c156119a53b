// The key with which the embedded provider signs. The database keeps it encrypted with IDENTITY_SECRET, so it shows whether that is the secret of
// this database.

import type { Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { insertSigningKey, lockSigningKey, selectSigningKey } from './provider.sql.ts'

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

/**
 * Makes the first signing key, as the library would at the first sign-in. A database where nobody signs in has one too, from its first start
 * on: its agents and webhook endpoints have signing secrets that a lost IDENTITY_SECRET would change.
 */
export async function makeSigningKey({ config, database }: Services): Promise<void> {
  const { IDENTITY_ISSUER, IDENTITY_SECRET } = config
  if (IDENTITY_ISSUER !== undefined || IDENTITY_SECRET === undefined) return
  if ((await database.query(selectSigningKey)).length > 0) return
  const { symmetricEncrypt } = await import('better-auth/crypto')
  const { exportJWK, generateKeyPair } = await import('jose')
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const encrypted = await symmetricEncrypt({ key: IDENTITY_SECRET, data: JSON.stringify(await exportJWK(pair.privateKey)) })
  const publicKey = JSON.stringify(jwk)
  const privateKey = JSON.stringify(encrypted)
  await database.transaction(async tx => {
    await tx.query(lockSigningKey)
    // Another process may have made it meanwhile.
    if ((await tx.query(selectSigningKey)).length > 0) return
    await tx.query(insertSigningKey, [newId(), 'ES256', jwk.crv, publicKey, privateKey])
  })
}

/** Deletes the signing keys; the next start makes one with the present secret. Tokens of the last five minutes are void, sessions are not. */
export async function forgetSigningKeys({ database }: Services): Promise<number> {
  return (await database.prisma.idpJwks.deleteMany()).count
}
