// A DNS server for tests: configured MX records, NXDOMAIN for other names.

import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

const MX = 15
const A = 1

/** `mail` maps domains to their mail exchange; `.` declares that the domain accepts no mail (RFC 7505). */
export async function startNameServer(mail: Record<string, string>) {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, type, end } = questionIn(question)
    const exchange = mail[name]
    const records = type === MX && exchange !== undefined ? [mxRecord(exchange)] : []
    const header = Buffer.from(question.subarray(0, 12))
    // Flags: response, recursion available. Code 3: NXDOMAIN.
    header.writeUInt16BE(0x8180 | (exchange === undefined && type !== A ? 3 : 0), 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt16BE(0, 8)
    header.writeUInt16BE(0, 10)
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address)
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    close: () => new Promise<void>(resolve => socket.close(() => resolve())),
  }
}

function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function mxRecord(exchange: string): Buffer {
  const labels = exchange.split('.').filter(Boolean)
  const name = Buffer.concat([...labels.flatMap(label => [Buffer.from([label.length]), Buffer.from(label)]), Buffer.from([0])])
  const head = Buffer.alloc(14)
  // A compression pointer to the name in the question.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(MX, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(name.length + 2, 10)
  head.writeUInt16BE(10, 12)
  return Buffer.concat([head, name])
}
