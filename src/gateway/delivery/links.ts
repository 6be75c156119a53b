// Links in replies: an address that a model was talked into would carry what it read to the address's owner, as soon as somebody, or a
// channel's preview, opens it. Those that are neither known nor allowed are written so that nothing opens them.

import topLevelDomains from 'tlds' with { type: 'json' }

/** Which links may stay. */
export interface LinkPolicy {
  /** Hosts, and `*.example.com` for all hosts below one. */
  allowedHosts: readonly string[]
  /** Addresses, hosts and e-mail addresses that are the platform's own data. */
  known: ReadonlySet<string>
}

/** The text with links, hosts and e-mail addresses that may not stay as hxxps://example[.]com, example[.]com and ada[@]example[.]com. */
export function defanged(text: string, policy: LinkPolicy): string {
  // What these characters part is never one link. Every second piece is what stood between.
  return text
    .split(/([\s<>"`|]+|\]\()/)
    .map((piece, index) => (index % 2 === 1 ? piece : defangedPiece(piece, policy)))
    .join('')
}

/** All texts in the values that are addresses, hosts or e-mail addresses as a whole, however deep they stand. */
export function addressesIn(values: readonly unknown[]): Set<string> {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/^https?:\/\/\S+$|^(?:[^\s@/:?#]+@)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/iu.test(value)) found.add(value)
    } else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) look(item)
  }
  for (const value of values) look(value)
  return found
}

// 30: no scheme is longer; without an end a long word would be looked through from each of its letters.
// Browsers read https:/host and https:host as https://host.
const scheme = /[a-z][a-z0-9+.-]{0,30}:[/\\]{2}|(?:https?:[/\\]?|mailto:)(?=[\p{L}\p{N}_%[])/giu
// Looked for from where such characters begin only: a long row of them takes no longer than other text.
const closing = /(?<![)\]}.,;:!?'*_~…])[)\]}.,;:!?'*_~…]+$/u

function defangedPiece(piece: string, policy: LinkPolicy): string {
  // Full-width letters and dots are read as plain ones by browsers.
  const plain = piece.normalize('NFKC')
  const starts = [...plain.matchAll(scheme)].map(({ index }) => index)
  const links = starts.map((start, at) => withScheme(plain.slice(start, starts[at + 1]), policy))
  const same = withoutScheme(plain.slice(0, starts[0]), policy) + links.join('')
  return same === plain ? piece : same
}

function withScheme(part: string, policy: LinkPolicy): string {
  const link = part.replace(closing, '')
  if (policy.known.has(link)) return part
  // Where a parenthesis closes, the link may have ended, and the next one have begun.
  const end = part.indexOf(')')
  const first = end < 0 ? link : part.slice(0, end).replace(closing, '')
  const stays = /^mailto:/i.test(first) ? mayBeMailed(first.slice('mailto:'.length), policy) : mayStay(first, first, policy)
  return stays ? first + withoutScheme(part.slice(first.length), policy) : broken(part)
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

function mayBeMailed(mail: string, policy: LinkPolicy): boolean {
  if (policy.known.has(mail)) return true
  // No second @: a list, or a copy to somebody else. Nor one that is written in another way.
  const domain = /^[^@?,;%]+@([^@?/,;:%]+)(?:\?[^@%]*)?$/.exec(mail)?.[1]
  return domain !== undefined && mayStay(`https://${domain}`, domain, { ...policy, known: new Set() })
}

// Labels of up to 63 characters, as DNS has them; the limits also keep a long word from being looked through again and again.
const name = /(?:[/\\]{2})?(?:[\p{L}\p{M}\p{N}._%+'-]{1,64}@)?(?:[\p{L}\p{M}\p{N}_-]{1,63}[.。])+[\p{L}\p{M}\p{N}-]{1,63}/gu
const tail = /(?::\d{1,5})?(?:[/?#\\][^)]*)?/uy
const withPath = /(?::\d{1,5})?[/?#\\][)\]}.,;:!?'*_~…]{0,99}[^)\]}.,;:!?'*_~…]/uy
const withPort = /:\d/y

// evil.example/path, //evil.example, www.evil.example, data.evil.com, x@evil.com: what channels make a link of without being asked.
function withoutScheme(text: string, policy: LinkPolicy): string {
  let done = ''
  let at = 0
  for (const found of text.matchAll(name)) {
    const end = found.index + found[0].length
    if (found.index < at) continue
    const follows = (pattern: RegExp) => {
      pattern.lastIndex = end
      return pattern.exec(text)?.[0]
    }
    const link = isHost(found[0], follows(withPath) !== undefined, follows(withPort) !== undefined)
      ? found[0] + (follows(tail) ?? '').replace(closing, '')
      : ''
    done += text.slice(at, found.index)
    // An ideographic full stop that is none of a host's ends a sentence.
    done += link === '' ? split(found[0], policy) : judged(link, found[0].includes('@'), policy)
    at = link === '' ? end : found.index + link.length
  }
  return done + text.slice(at)
}

const split = (found: string, policy: LinkPolicy): string =>
  found.includes('。')
    ? found
        .split(/(。)/)
        .map(sentence => withoutScheme(sentence, policy))
        .join('')
    : found

function judged(link: string, isMail: boolean, policy: LinkPolicy): string {
  const bare = link.replace(/^[/\\]{2}/, '')
  return (isMail ? mayBeMailed(bare, policy) : mayStay(`https://${bare}`, bare, policy)) ? link : broken(link)
}

const topLevel = new Set(topLevelDomains)
// Top-level domains that are endings of files too.
const fileEndings = new Set(['md', 'py', 'sh', 'rs', 'pl', 'ps', 'zip', 'mov'])

function isHost(found: string, hasPath: boolean, hasPort: boolean): boolean {
  const host = found.slice(found.lastIndexOf('@') + 1).replace(/^[/\\]{2}/, '')
  const labels = host.toLowerCase().split(/[.。]/)
  const last = labels.at(-1)?.replace(/-+$/, '') ?? ''
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || labels[0] === 'www') return true
  if ((/^[/\\]/.test(found) || hasPath) && /^(?:[\p{L}\p{M}]{2,}|xn--[a-z0-9-]+)$/u.test(last)) return true
  // A file's name. The part below it could carry data, in a name of two parts there is none.
  if (fileEndings.has(last) && labels.length === 2 && !hasPort && !found.includes('@')) return false
  // Scripts without spaces go on right behind the host.
  const latin = /^[a-z]{2,}(?=[^a-z0-9-])/.exec(last)?.[0] ?? ''
  return topLevel.has(last) || topLevel.has(latin) || last.startsWith('xn--')
}

const broken = (link: string): string =>
  link
    .replace(/^http/i, 'hxxp')
    .replace(/^(?!hxxp)([a-z][a-z0-9+.-]{0,30}):(?=[/\\]{2})/i, '$1[:]')
    .replace(/^mailto:/i, match => match.replace(':', '[:]'))
    .replace(/(?<=[^\s[])@(?=[^\s\]])/gu, '[@]')
    .replace(/(?<=[\p{L}\p{M}\p{N}_-])[.。](?=[\p{L}\p{M}\p{N}_-])/gu, '[.]')
