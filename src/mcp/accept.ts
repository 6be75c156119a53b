// The form of answer that a client accepts: JSON, a stream of one event, or either.

import { AppError } from '../kernel/errors.ts'
import { mediaTypeOf } from '../kernel/input/media-type.ts'

/** `either`: as the SDK likes. */
export type Form = 'json' | 'stream' | 'either'

/**
 * The form of the answer. The protocol has clients name both types; many name one, none, or a range. A range or nothing is JSON, which all
 * read, and so is what names neither: a 406 would help nobody.
 */
export function formOf(accept: string | undefined): Form {
  const quality = new Map(
    (accept ?? '*/*').split(',').map(part => {
      const [, q = '1'] = /;\s*q\s*=\s*"?([\d.]+)/i.exec(part) ?? []
      return [mediaTypeOf(part).type, Number(q)]
    }),
  )
  const of = (...ranges: string[]) => ranges.map(range => quality.get(range)).find(found => found !== undefined) ?? 0
  const takesJson = of('application/json', 'application/*', '*/*') > 0
  const namesStream = of('text/event-stream', 'text/*') > 0
  return !namesStream ? 'json' : takesJson ? 'either' : 'stream'
}

/** The response in the form. Its body is one message, or a stream with notifications before it, which JSON leaves out. */
export async function inForm(response: Response, form: Form): Promise<Response> {
  const { type } = mediaTypeOf(response.headers.get('content-type') ?? undefined)
  const { status } = response
  if (form === 'json' && type === 'text/event-stream') {
    const found = (await response.text()).split('\n').flatMap(line => (line.startsWith('data:') ? line.slice(5).trim() || [] : []))
    const message = found.at(-1)
    if (message === undefined) throw new AppError('INTERNAL', 'The stream has no message')
    return new Response(message, { status, headers: { 'content-type': 'application/json' } })
  }
  if (form === 'stream' && type === 'application/json' && status === 200)
    return new Response(`event: message\ndata: ${await response.text()}\n\n`, { status, headers: { 'content-type': 'text/event-stream' } })
  return response
}
