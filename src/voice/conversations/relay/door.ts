// The WebSocket door of carriers: `/voice/relay/{token}`, one socket for each conversation. The token is good once, for one call.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Services } from '../../../kernel/context.ts'
import type { NetworkLimit } from '../../../kernel/limits/limits.ts'
import type { Conversation } from '../row.ts'
import { frameIn } from './frames.ts'
import { concludeLater } from './left.ts'
import { claimMs, keepLine, leaveLine, takeLine } from './line.ts'
import { createSession, type RelaySession } from './session.ts'
import { isFromCarrier } from './signature.ts'

const relayPath = '/voice/relay/'

/** Whether the request is for this door. */
export const isForRelay = ({ url = '' }: IncomingMessage): boolean => url.startsWith(relayPath)

export interface RelayDoor {
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Hands the conversations over to other processes: their carriers open other sockets. */
  stop(): Promise<void>
}

// 256 kB: a prompt of 100 kB is cut, not refused. More closes the socket (1009).
const maxFrameBytes = 262_144
// A carrier sends some ten frames a second. More than 50 are dropped.
const framesPerSecond = 50
// After so many dropped frames in a row the socket is closed.
const maxDropped = 500
// By Twilio's protocol: ten messages in a row that cannot be read close the session (64105).
const maxMalformed = 10
// Guessing a token of 192 bits is hopeless; this keeps guesses from costing statements.
const guesses: NetworkLimit = { max: 60, seconds: 60 }

export function createRelayDoor(services: Services): RelayDoor {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  const sessions = new Set<RelaySession>()
  let isStopping = false

  async function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const token = (req.url ?? '').slice(relayPath.length).split(/[/?]/, 1)[0] ?? ''
    socket.on('error', () => socket.destroy())
    if (isStopping) return refuse(socket, 503)
    const { remoteAddress } = req.socket
    if (services.networkLimits.count(guesses, remoteAddress) !== null) return refuse(socket, 429)
    const isSigned = await isFromCarrier(services, token, req)
    const conversation = isSigned ? await takeLine(services, token) : null
    if (!conversation) return refuse(socket, 401)
    services.networkLimits.forget(guesses, () => remoteAddress)
    server.handleUpgrade(req, socket, head, opened => hold(opened, conversation))
  }

  function hold(socket: WebSocket, conversation: Conversation): void {
    const session = createSession(services, conversation, {
      send: frame => socket.readyState === socket.OPEN && socket.send(JSON.stringify(frame)),
      close: () => socket.close(1000),
    })
    sessions.add(session)
    const rate = new RateLimiterMemory({ points: framesPerSecond, duration: 1 })
    let malformed = 0
    let dropped = 0
    const renewal = setInterval(async () => {
      const isKept = await keepLine(services, conversation).catch(() => true)
      if (!isKept) socket.close(1008)
    }, claimMs / 3)

    socket.on('message', (data, isBinary) => {
      rate.consume('frames').then(
        () => {
          dropped = 0
          const frame = isBinary ? null : frameIn(String(data))
          malformed = frame ? 0 : malformed + 1
          if (frame) session.hear(frame)
          else if (malformed >= maxMalformed) socket.close(1007)
        },
        () => {
          if (++dropped >= maxDropped) socket.close(1008)
        },
      )
    })
    // ws closes the socket after an error.
    socket.on('error', error => services.log.info({ err: error, conversationId: conversation.id }, 'a carrier broke the protocol'))
    socket.on('close', async () => {
      clearInterval(renewal)
      sessions.delete(session)
      try {
        const left = await session.leave()
        await leaveLine(services, left)
        await concludeLater(services, left)
      } catch (error) {
        services.log.warn({ err: error, conversationId: conversation.id }, 'a conversation could not be left')
      }
    })
  }

  return {
    upgrade(req, socket, head) {
      upgrade(req, socket, head).catch((error: unknown) => {
        services.log.error({ err: error }, 'a socket could not be opened')
        refuse(socket, 503)
      })
    },
    async stop() {
      isStopping = true
      await Promise.all([...sessions].map(session => session.handOver()))
      server.close()
    },
  }
}

const reasons = { 401: 'Unauthorized', 429: 'Too Many Requests', 503: 'Service Unavailable' } as const

// Without a word of why.
function refuse(socket: Duplex, status: keyof typeof reasons): void {
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
