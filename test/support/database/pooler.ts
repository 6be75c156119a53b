// A pooler in transaction mode for tests: a client gets any session for each of its transactions. With `keepsStatements` it keeps its clients'
// prepared statements apart as PgBouncer 1.21 does with max_prepared_statements: it names them itself and prepares them in each session that
// they are used in. Without it, names pass unchanged.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

export interface Pooler {
  url: string
  keepsStatements: boolean
  stop(): Promise<void>
}

interface Message {
  type: string
  body: Buffer
}

/** A session, and what is still to be answered in it: each Parse in order, and the end of each request. */
interface Session {
  stream: Socket
  client: Client | undefined
  prepared: Set<string>
  owed: ({ parse: string; isOurs: boolean } | 'ready')[]
}

interface Client {
  socket: Socket
  session: Session | undefined
  waiting: Message[]
  /** The pooler's name and the Parse message of each of its statements. */
  statements: Map<string, { name: string; body: Buffer }>
}

const sync = 'SQ'

export async function startPooler(url: string, { keepsStatements = true } = {}): Promise<Pooler> {
  const names = new Map<string, string>()
  const sessions = await Promise.all(Array.from({ length: 3 }, () => openSession(url)))
  const clients = new Set<Client>()
  let turn = 0

  // The sessions in turn, so that a client's transactions run in several.
  const free = () => {
    for (let i = 0; i < sessions.length; i++) {
      const session = sessions[++turn % sessions.length]
      if (session && !session.client) return session
    }
  }
  const serve = (client: Client) => {
    if (client.waiting.length === 0) return
    client.session ??= free()
    const { session } = client
    if (!session) return
    session.client = client
    for (const message of client.waiting.splice(0)) forward(client, session, message)
  }
  const forward = (client: Client, session: Session, { type, body }: Message) => {
    if (sync.includes(type)) session.owed.push('ready')
    const parts = pooler.keepsStatements && partsOf(type, body)
    if (!parts) {
      if (type === 'P') session.owed.push({ parse: '', isOurs: false })
      return session.stream.write(encoded(type, body))
    }
    const [before, name, after] = parts
    if (type === 'P' && name) {
      const text = after.toString('latin1')
      if (!names.has(text)) names.set(text, `POOLER_${names.size}`)
      client.statements.set(name, { name: names.get(text) ?? '', body: after })
    }
    const known = client.statements.get(name)
    if (type === 'P') prepare(session, known ?? { name: '', body: after }, false)
    else {
      if (known && !session.prepared.has(known.name)) prepare(session, known, true)
      session.stream.write(encoded(type, Buffer.concat([before, Buffer.from(`${known?.name ?? name}\0`), after])))
    }
  }
  const prepare = (session: Session, { name, body }: { name: string; body: Buffer }, isOurs: boolean) => {
    // Answered by a Parse of nothing, where the session has the statement already.
    const has = session.prepared.has(name)
    session.owed.push({ parse: name, isOurs })
    session.stream.write(encoded('P', has ? Buffer.from('\0\0\0\0') : Buffer.concat([Buffer.from(`${name}\0`), body])))
    if (name) session.prepared.add(name)
  }
  const answer = (session: Session, { type, body }: Message) => {
    const { client, owed } = session
    if (type === '1') {
      const parse = owed.shift()
      if (typeof parse === 'object' && parse.isOurs) return
    }
    if (type === 'Z')
      for (let each = owed.shift(); each && each !== 'ready'; each = owed.shift()) {
        // After an error, PostgreSQL skips what follows it.
        session.prepared.delete(each.parse)
      }
    client?.socket.write(encoded(type, body))
    if (type !== 'Z' || owed.includes('ready') || body.toString() !== 'I') return
    if (client) client.session = undefined
    session.client = undefined
    for (const each of clients) serve(each)
  }
  for (const session of sessions)
    session.stream.on(
      'data',
      reader(message => answer(session, message)),
    )

  const server = createServer(socket => {
    const client: Client = { socket, session: undefined, waiting: [], statements: new Map() }
    clients.add(client)
    socket.setNoDelay()
    socket.on('error', () => {}).on('close', () => clients.delete(client))
    socket.once('data', () => {
      socket.write(greeting)
      socket.on(
        'data',
        reader(message => {
          if (message.type === 'X') return void socket.end()
          client.waiting.push(message)
          serve(client)
        }),
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const pooler: Pooler = {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) }).href,
    keepsStatements,
    async stop() {
      for (const { socket } of clients) socket.destroy()
      for (const { stream } of sessions) stream.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return pooler
}

async function openSession(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' })
  client.on('error', () => {})
  await client.connect()
  // pg logs in; from then on the messages are the pooler's.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.setNoDelay()
  stream.removeAllListeners('data')
  return { stream, client: undefined, prepared: new Set(), owed: [] }
}

const encoded = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

// Any password is right, and the process id is none of PostgreSQL's.
const greeting = Buffer.concat([
  encoded('R', Buffer.alloc(4)),
  encoded('S', Buffer.from('client_encoding\0UTF8\0')),
  encoded('K', Buffer.from([0, 0, 0, 7, 0, 0, 0, 7])),
  encoded('Z', Buffer.from('I')),
])

/** What precedes the name of the prepared statement in a message, the name, and what follows; null where there is none. */
function partsOf(type: string, body: Buffer): [Buffer, string, Buffer] | null {
  // A portal's name comes first in Bind; Describe and Close say first whether it is a statement.
  const isOfStatement = type === 'P' || type === 'B' || ('DC'.includes(type) && body[0] === 'S'.charCodeAt(0))
  if (!isOfStatement) return null
  const start = type === 'B' ? body.indexOf(0) + 1 : type === 'P' ? 0 : 1
  const end = body.indexOf(0, start)
  return [body.subarray(0, start), body.toString('utf8', start, end), body.subarray(end + 1)]
}

// Each message is a letter, its length, and the rest.
function reader(onMessage: (message: Message) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const size = 1 + rest.readInt32BE(1)
      onMessage({ type: String.fromCharCode(rest[0] ?? 0), body: rest.subarray(5, size) })
      rest = rest.subarray(size)
    }
  }
}
