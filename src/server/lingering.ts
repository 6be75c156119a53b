// Keeps a connection that is to be closed after an answer open until the rest of the request's body has arrived. Node closes it at once; the
// client, which is still sending, then sees a reset connection instead of the answer.

import type { IncomingMessage, ServerResponse } from 'node:http'

// 30 s: as long as a body may take (kernel/input/body.ts).
const maxMs = 30_000

/** For each request, before its answer. Connections that are kept alive need nothing: Node reads the rest of their bodies. */
export function closeAfterBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
  // Before Node's own listener, which closes the connection.
  response.prependOnceListener('finish', () => {
    if (!request.complete) linger(request)
  })
}

function linger(request: IncomingMessage): void {
  const { socket } = request
  let late: NodeJS.Timeout | undefined
  // Shadows Node's method until the body has arrived. A connection that is kept alive has further requests.
  socket.destroySoon = () => {
    // The client learns that the answer is complete, and that nothing more will be answered.
    socket.end()
    late ??= setTimeout(() => socket.destroy(), maxMs).unref()
  }
  const onArrival = () => {
    request.off('end', onArrival).off('close', onArrival)
    Reflect.deleteProperty(socket, 'destroySoon')
    if (late === undefined) return
    clearTimeout(late)
    socket.destroySoon()
  }
  request.once('end', onArrival).once('close', onArrival)
}
