// A TCP relay whose connections can be frozen: they stay open without passing data. New connections work.

import { connect, createServer, type Socket } from 'node:net'

export interface Relay {
  port: number
  /** Stops all data on the existing connections for ever, in both directions, without closing them. */
  freeze(): void
  /** Sets the target port of new connections. */
  toPort(port: number): void
  /** Connections that were made since it was started. */
  accepted(): number
  close(): Promise<void>
}

export async function startRelay(firstPort: number): Promise<Relay> {
  let port = firstPort
  let accepted = 0
  const open = new Set<[Socket, Socket]>()
  const server = createServer(near => {
    accepted++
    const far = connect(port, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    open.add(pair)
    for (const [from, to] of [pair, [far, near] as const]) {
      from.setNoDelay(true)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(pair)
        // A frozen connection is not closed at the other end, as behind an unplugged switch.
        if (!frozen.has(from)) to.destroy()
      })
    }
  })
  const frozen = new Set<Socket>()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    freeze() {
      for (const [near, far] of open)
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          frozen.add(from)
          from.unpipe(to)
          from.pause()
        }
      open.clear()
    },
    toPort: next => {
      port = next
    },
    accepted: () => accepted,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const [near, far] of open) for (const socket of [near, far]) socket.destroy()
        for (const socket of frozen) socket.destroy()
      }),
  }
}
