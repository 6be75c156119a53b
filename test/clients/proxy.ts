// A proxy that adds the key, for clients that cannot send one.

import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Resolves with its address and the function that closes it. */
export async function withKey(url: string, key: string): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` }
    const onward = request(`${url}${req.url}`, { method: req.method, headers }, answer => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
