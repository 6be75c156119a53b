// The HTTP server: listens on the configured address, and drains its connections at a stop.

import { createServer, type Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { type Config, ConfigError } from '../config/environment.ts'
import { isForRelay } from '../voice/conversations/relay/door.ts'

export function createHttpServer(): Server {
  return createServer({
    headersTimeout: 15_000,
    // For uploads of 100 MB on a line of 3 Mbit/s. Other bodies have 30 s (kernel/input/body.ts).
    requestTimeout: 300_000,
    // Other requests with `Upgrade` are answered as if they had none, as HTTP allows.
    shouldUpgradeCallback: isForRelay,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 65_000,
  })
}

export function listen(server: Server, { HOST, PORT }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(listenError(error, HOST, PORT)))
    server.listen(PORT, HOST, () => {
      server.removeAllListeners('error')
      const { port } = server.address() as AddressInfo
      const host = HOST.includes(':') ? `[${HOST}]` : HOST
      resolve(`http://${host}:${port}`)
    })
  })
}

// Errors that the operator can correct become sentences.
function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return new ConfigError([`PORT: another process listens on ${port} of ${host} already`])
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return new ConfigError([`HOST: ${host} is no address of this machine`])
  if (error.code === 'EACCES') return new ConfigError([`PORT: this user may not listen on ${port}`])
  return error
}

// 250 ms: requests that clients send on idle connections in this time are still answered.
const lastRequestsMs = 250

// Refuses new connections at once, lets running requests finish, and closes the remaining connections at the deadline.
export function drain(server: Server, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
    let closing: NodeJS.Timeout | undefined
    // Connections are kept alive after an answer, so idle ones are closed again and again.
    const closeIdleLater = setTimeout(() => {
      server.closeIdleConnections()
      closing = setInterval(() => server.closeIdleConnections(), 50)
    }, lastRequestsMs)
    // Not http's own close(), which would close all idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline)
      clearTimeout(closeIdleLater)
      clearInterval(closing)
      resolve()
    })
  })
}
