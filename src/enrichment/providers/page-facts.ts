// What a web page says about the company that made it: title, description, OpenGraph, links, schema.org. Streaming, linear in its size.

import { Parser } from 'htmlparser2'

export interface PageFacts {
  title: string | null
  /** `og:site_name`, `description`, `og:image`, ... in lower case, the first of each. */
  meta: ReadonlyMap<string, string>
  links: readonly string[]
  phones: readonly string[]
  /** Every object of the page's JSON-LD, those inside `@graph` included. */
  things: readonly Record<string, unknown>[]
  /** What is read: without scripts, styles and markup. */
  text: string
}

const unread = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe'])
// Of each page: what tells something stands at its top.
const mostText = 20_000
const mostLinks = 500
const mostThings = 100
// Pages of people are some dozens of elements deep.
const deepest = 1000
const slice = 16_384

export function readPage(html: string): PageFacts {
  const meta = new Map<string, string>()
  const links: string[] = []
  const phones: string[] = []
  const things: Record<string, unknown>[] = []
  let title = ''
  let text = ''
  let json = ''
  let inTitle = false
  let inJson = false
  let unreadDepth = 0
  let depth = 0

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        if (name === 'title') inTitle = title === ''
        if (name === 'meta') {
          const key = (attributes.property ?? attributes.name ?? '').toLowerCase()
          const { content } = attributes
          if (key && content && !meta.has(key) && meta.size < 200) meta.set(key, content.trim())
        }
        const { href } = attributes
        if (name === 'a' && href) {
          if (href.startsWith('tel:')) phones.push(href.slice(4))
          else if (links.length < mostLinks && /^https?:/i.test(href)) links.push(href)
        }
        if (unread.has(name)) unreadDepth++
        if (name === 'script' && attributes.type?.toLowerCase() === 'application/ld+json') {
          inJson = true
          json = ''
        }
      },
      ontext(part) {
        if (inJson) json += part
        else if (inTitle) title += part
        else if (unreadDepth === 0 && text.length < mostText) text += part
      },
      onclosetag(name) {
        depth--
        if (name === 'title') inTitle = false
        if (unread.has(name)) unreadDepth = Math.max(0, unreadDepth - 1)
        if (name === 'script' && inJson) {
          inJson = false
          collect(json, things)
        }
        if (unreadDepth === 0 && text.length < mostText) text += ' '
      },
    },
    { decodeEntities: true },
  )
  // The parser's cost per tag grows with the depth, so a page that is nested for no reader is read no further.
  for (let at = 0; at < html.length && depth <= deepest; at += slice) parser.write(html.slice(at, at + slice))
  if (depth <= deepest) parser.end()
  return { title: tidy(title) || null, meta, links, phones, things, text: tidy(text).slice(0, mostText) }
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()

function collect(json: string, things: Record<string, unknown>[]): void {
  let content: unknown
  try {
    content = JSON.parse(json)
  } catch {
    // Broken JSON-LD is common, and nobody's business here.
    return
  }
  const waiting: unknown[] = [content]
  for (let thing = waiting.shift(); thing !== undefined && things.length < mostThings; thing = waiting.shift()) {
    if (Array.isArray(thing)) waiting.push(...thing.slice(0, mostThings))
    else if (thing !== null && typeof thing === 'object') {
      things.push(thing as Record<string, unknown>)
      const graph = (thing as Record<string, unknown>)['@graph']
      if (Array.isArray(graph)) waiting.push(...graph.slice(0, mostThings))
    }
  }
}
