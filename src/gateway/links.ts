// Links in replies: an address that a model was talked into would carry what it read to the address's owner, as soon as somebody, or a
// channel's preview, opens it. Those that are neither known nor allowed are written so that nothing opens them.

/** Which links may stay. */
export interface LinkPolicy {
  /** Hosts, and `*.example.com` for all hosts below one. */
  allowedHosts: readonly string[]
  /** Addresses that are the platform's own data. */
  known: ReadonlySet<string>
}

/** The text with links that may not stay as hxxps://example[.]com: schemes, www., and bare hosts with a path, query or fragment. */
export function defanged(text: string, policy: LinkPolicy): string {
  // What these characters part is never one link. Every second piece is what stood between.
  return text
    .split(/([\s<>"`|]+|\]\()/)
    .map((piece, index) => (index % 2 === 1 ? piece : defangedPiece(piece, policy)))
    .join('')
}

/** All texts in the values that are addresses as a whole, however deep they stand. */
export function addressesIn(values: readonly unknown[]): Set<string> {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/^https?:\/\/\S+$/i.test(value)) found.add(value)
    } else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) look(item)
  }
  for (const value of values) look(value)
  return found
}

// 30: no scheme is longer; without an end a long word would be looked through from each of its letters.
const scheme = /[a-z][a-z0-9+.-]{0,30}:[/\\]{2}/gi
const closing = /[)\]}.,;:!?'*_~…]+$/u

function defangedPiece(piece: string, policy: LinkPolicy): string {
  // Full-width letters and dots are read as plain ones by browsers.
  const plain = piece.normalize('NFKC').replaceAll('\u3002', '.')
  const starts = [...plain.matchAll(scheme)].map(({ index }) => index)
  const [first = plain.length] = starts
  const isBare = isBareLink(plain.slice(0, first))
  if (starts.length === 0 && !isBare) return piece
  const parts = [...(first > 0 ? [plain.slice(0, first)] : []), ...starts.map((start, at) => plain.slice(start, starts[at + 1]))]
  const judged = parts.map((part, at) => {
    const isLead = at === 0 && first > 0
    if (isLead && !isBare) return part
    const link = part.replace(closing, '')
    return mayStay(isLead ? `https://${link.replace(/^[^\p{L}\p{N}]+/u, '')}` : link, link, policy) ? part : broken(part)
  })
  const same = judged.join('')
  return same === plain ? piece : same
}

function mayStay(address: string, link: string, { allowedHosts, known }: LinkPolicy): boolean {
  if (known.has(link)) return true
  // Who stands before an @ is no host, and a backslash is a slash for some: others may read another host than we do.
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(address)?.[1] ?? ''
  if (!URL.canParse(address) || authority === '' || /[@\\]/.test(authority)) return false
  const { hostname, protocol } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return allowedHosts.some(allowed => (allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : hostname === allowed))
}

const host = /^(?:www\.[^.].*|(?:[^.]+\.)+(?:\p{L}{2,}|xn--[a-z0-9-]+)|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/iu

// evil.example/path, //evil.example, www.evil.example: what channels make a link of without being asked.
function isBareLink(text: string): boolean {
  const inner = text.replace(/^[^\p{L}\p{N}/]+/u, '').replace(closing, '')
  const isRelative = inner.startsWith('//')
  const rest = inner.replace(/^\/+/, '')
  const end = rest.search(/[/?#\\]/)
  const name = end < 0 ? rest : rest.slice(0, end)
  const isLink = isRelative || /^www\./i.test(name) || (end >= 0 && end < rest.length - 1)
  return isLink && host.test(name.slice(name.lastIndexOf('@') + 1))
}

const broken = (link: string): string =>
  link
    .replace(/^http/i, 'hxxp')
    .replace(/^(?!hxxp)([a-z][a-z0-9+.-]{0,30}):(?=[/\\]{2})/i, '$1[:]')
    .replace(/(?<=[\p{L}\p{N}-])\.(?=[\p{L}\p{N}-])/gu, '[.]')
