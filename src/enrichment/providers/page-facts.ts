// Extracts title, meta tags, links, phone numbers, JSON-LD and text from an HTML page, in time linear in its size.

import { Parser } from 'htmlparser2'
import { cutText } from '../../kernel/input/cut.ts'
import { parseJson } from '../../kernel/input/json-text.ts'

export interface PageFacts {
  title: string | null
  /** The first value of each name, with names in lower case: `og:site_name`, `description`, `og:image`, ... */
  meta: ReadonlyMap<string, string>
  links: readonly string[]
  phones: readonly string[]
  /** The objects of the page's JSON-LD, including those in `@graph`. */
  things: readonly Record<string, unknown>[]
  /** The visible text, without scripts, styles and markup. */
  text: string
}

const skippedTags = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe'])
// Limits per page. The informative parts usually come first.
const maxText = 20_000
const maxLinks = 500
const maxThings = 100
// The maximum number of nodes of one JSON-LD document, lists included.
const maxNodes = 1000
const maxPhones = 20
const maxTitle = 1000
const maxMeta = 5000
// 1000: real pages are a few dozen elements deep.
const maxDepth = 1000
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
  let skippedDepth = 0
  let depth = 0

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        if (name === 'title') inTitle = title === ''
        if (name === 'meta') {
          const key = (attributes.property ?? attributes.name ?? '').toLowerCase()
          const { content } = attributes
          if (key && content && !meta.has(key) && meta.size < 200) meta.set(key, cutText(content, maxMeta).trim())
        }
        const { href } = attributes
        if (name === 'a' && href) {
          if (href.startsWith('tel:')) {
            if (phones.length < maxPhones) phones.push(href.slice(4))
          } else if (links.length < maxLinks && /^https?:/i.test(href)) links.push(href)
        }
        if (skippedTags.has(name)) skippedDepth++
        if (name === 'script' && attributes.type?.toLowerCase() === 'application/ld+json') {
          inJson = true
          json = ''
        }
      },
      ontext(part) {
        if (inJson) json += part
        else if (inTitle) title += cutText(part, maxTitle - title.length)
        else if (skippedDepth === 0 && text.length < maxText) text += part
      },
      onclosetag(name) {
        depth--
        if (name === 'title') inTitle = false
        if (skippedTags.has(name)) skippedDepth = Math.max(0, skippedDepth - 1)
        if (name === 'script' && inJson) {
          inJson = false
          collect(json, things)
        }
        if (skippedDepth === 0 && text.length < maxText) text += ' '
      },
    },
    { decodeEntities: true },
  )
  // The parser's cost per tag grows with the depth, so parsing stops at `maxDepth`.
  for (let at = 0; at < html.length && depth <= maxDepth; at += slice) parser.write(html.slice(at, at + slice))
  if (depth <= maxDepth) parser.end()
  return { title: tidy(title) || null, meta, links, phones, things, text: cutText(tidy(text), maxText) }
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()

function collect(json: string, things: Record<string, unknown>[]): void {
  let content: unknown
  try {
    content = parseJson(json)
  } catch {
    // Invalid JSON-LD is common, and is ignored. So is text that is too long to be about one company.
    return
  }
  const nodes: unknown[] = [content]
  // The list grows while it is read, up to `maxNodes`: nothing is taken from its front, which costs as much as it is long.
  for (let at = 0; at < nodes.length && things.length < maxThings; at++) {
    const node = nodes[at]
    if (node === null || typeof node !== 'object') continue
    if (!Array.isArray(node)) things.push(node as Record<string, unknown>)
    const children: unknown = Array.isArray(node) ? node : (node as Record<string, unknown>)['@graph']
    if (Array.isArray(children)) for (const child of children.slice(0, maxNodes - nodes.length)) nodes.push(child)
  }
}
