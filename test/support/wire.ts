// A TCP proxy to the database of a test: it can freeze its connections without closing them, or drop notifications.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface Wire {
  /** The address of the database through it. */
  url: string
  /** Holds back all data on the existing connections; later ones work. */
  freeze(): void
  /** Delivers the data that was held back. */
  thaw(): void
  stop(): Promise<void>
}

/** `losesNotifications`: LISTEN is answered and no notification arrives, as behind a pooler that shares sessions. */
export async function startWire(url: string, { losesNotifications = false } = {}): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const ends = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(Number(port || 5432), hostname)
    for (const end of [near, far]) ends.add(end.on('error', () => {}).on('close', () => ends.delete(end)))
    near.pipe(far)
    ;(losesNotifications ? far.pipe(withoutNotifications()) : far).pipe(near)
    near.on('close', () => far.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    freeze: () => ends.forEach(end => void end.pause()),
    thaw: () => ends.forEach(end => void end.resume()),
    async stop() {
      for (const end of ends) end.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const notification = 'A'.charCodeAt(0)

// Each message is a letter, its length, and the rest.
function withoutNotifications(): Transform {
  let rest = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
        const size = 1 + rest.readInt32BE(1)
        if (rest[0] !== notification) this.push(rest.subarray(0, size))
        rest = rest.subarray(size)
      }
      done()
    },
  })
}
