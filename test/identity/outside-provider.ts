// An outside identity provider for tests: its key set over HTTP, its signatures, and its outages.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const issuer = 'https://login.example.com/'
export const audience = 'rolocom-test'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

export type OutsideProvider = Awaited<ReturnType<typeof startProvider>>

export async function startProvider() {
  let keys: { kid: string; alg: string; pair: Pair }[] = []
  let reads = 0
  let isDown = false
  const server = createServer(async (_req, res) => {
    reads++
    if (isDown) return void res.writeHead(503).end()
    const jwks = await Promise.all(keys.map(async ({ kid, alg, pair }) => ({ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' })))
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: jwks }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const provider = {
    url: `http://127.0.0.1:${port}/keys`,
    reads: () => reads,
    setDown: (down: boolean) => {
      isDown = down
    },
    /** Replaces every key by a new one. */
    async rotate(kid: string, alg = 'ES256') {
      keys = []
      return provider.add(kid, alg)
    },
    async add(kid: string, alg: string) {
      const pair = await generateKeyPair(alg, { extractable: true })
      keys.push({ kid, alg, pair })
      return pair
    },
    /** A valid token with the claims that the test replaces. Times are seconds from now. */
    sign(
      pair: Pair,
      {
        kid = 'one',
        alg = 'ES256',
        header = {},
        claims = {},
        expiresIn = 300,
      }: Partial<{
        kid: string
        alg: string
        header: Record<string, unknown>
        claims: JWTPayload
        expiresIn: number
      }> = {},
    ): Promise<string> {
      const now = Math.floor(Date.now() / 1000)
      const payload = {
        iss: issuer,
        aud: audience,
        sub: 'user-1',
        email: 'ada@example.com',
        name: 'Ada',
        iat: now,
        exp: now + expiresIn,
        ...claims,
      }
      return new SignJWT(payload).setProtectedHeader({ alg, kid, ...header }).sign(pair.privateKey)
    },
    stop: () => new Promise(resolve => server.close(resolve)),
  }
  return provider
}
