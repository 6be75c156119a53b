// Links in replies. An injected prompt can make a model write a link whose address carries data to the link's owner as soon as somebody, or
// a channel's preview, opens it. Links that are neither known nor allowed are written so that nothing opens them.

import topLevelDomains from 'tlds' with { type: 'json' }

/** Which links may stay. */
export interface LinkPolicy {
  /** Hosts, and `*.example.com` for all hosts below one. */
  allowedHosts: readonly string[]
  /** Addresses, hosts and email addresses that are the platform's own data. */
  known: ReadonlySet<string>
}

/** The text with links, hosts and email addresses that may not stay as hxxps://example[.]com, example[.]com and ada[@]example[.]com. */
export function defang(text: string, policy: LinkPolicy): string {
  // No link contains these characters. Every second piece is a separator.
  return text
    .split(/([\s<>"`|]+|\]\()/)
    .map((piece, index) => (index % 2 === 1 ? piece : defangPiece(piece, policy)))
    .join('')
}

/** All texts in the values, at any depth, that are as a whole an address, a host or an email address. */
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

// 30: no scheme is longer, and the limit keeps the search of a long word linear.
// Browsers read https:/host and https:host as https://host.
const scheme = /[a-z][a-z0-9+.-]{0,30}:[/\\]{2}|(?:https?:[/\\]?|mailto:)(?=[\p{L}\p{N}_%[])/giu
// The lookbehind keeps the search linear in a long row of such characters.
const closing = /(?<![)\]}.,;:!?'*_~…])[)\]}.,;:!?'*_~…]+$/u

function defangPiece(piece: string, policy: LinkPolicy): string {
  // Browsers read full-width letters and dots as plain ones.
  const plain = piece.normalize('NFKC')
  const starts = [...plain.matchAll(scheme)].map(({ index }) => index)
  const links = starts.map((start, at) => withScheme(plain.slice(start, starts[at + 1]), policy))
  const same = withoutScheme(plain.slice(0, starts[0]), policy) + links.join('')
  return same === plain ? piece : same
}

function withScheme(part: string, policy: LinkPolicy): string {
  const link = part.replace(closing, '')
  if (policy.known.has(link)) return part
  // A closing parenthesis may end the link, and another one may follow.
  const end = part.indexOf(')')
  const first = end < 0 ? link : part.slice(0, end).replace(closing, '')
  const stays = /^mailto:/i.test(first) ? mayBeMailed(first.slice('mailto:'.length), policy) : mayStay(first, first, policy)
  return stays ? first + withoutScheme(part.slice(first.length), policy) : defangLink(part)
}

function mayStay(address: string, link: string, { allowedHosts, known }: LinkPolicy): boolean {
  if (known.has(link)) return true
  // With a user name before @ or a backslash, some programs read another host than URL does.
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(address)?.[1] ?? ''
  if (!URL.canParse(address) || authority === '' || /[@\\]/.test(authority)) return false
  const { hostname, protocol } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return allowedHosts.some(allowed => (allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : hostname === allowed))
}

function mayBeMailed(mail: string, policy: LinkPolicy): boolean {
  if (policy.known.has(mail)) return true
  // One @ only: a second one, or an encoded one, could add a recipient.
  const domain = /^[^@?,;%]+@([^@?/,;:%]+)(?:\?[^@%]*)?$/.exec(mail)?.[1]
  return domain !== undefined && mayStay(`https://${domain}`, domain, { ...policy, known: new Set() })
}

// Labels of up to 63 characters, and at most 127 before the last, as DNS has them; the limits also keep the search linear.
const name = /(?:[/\\]{2})?(?:[\p{L}\p{M}\p{N}._%+'-]{1,64}@)?(?:[\p{L}\p{M}\p{N}_-]{1,63}[.。]){1,127}[\p{L}\p{M}\p{N}-]{1,63}/gu
const tail = /(?::\d{1,5})?(?:[/?#\\][^)]*)?/uy
const withPath = /(?::\d{1,5})?[/?#\\][)\]}.,;:!?'*_~…]{0,99}[^)\]}.,;:!?'*_~…]/uy
const withPort = /:\d/y

// evil.example/path, //evil.example, www.evil.example, data.evil.com, x@evil.com: channels turn these into links.
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
    // An ideographic full stop outside of a host ends a sentence.
    done += link === '' ? bySentence(found[0], policy) : allowOrDefang(link, found[0].includes('@'), policy)
    at = link === '' ? end : found.index + link.length
  }
  return done + text.slice(at)
}

const bySentence = (found: string, policy: LinkPolicy): string =>
  found.includes('。')
    ? found
        .split(/(。)/)
        .map(sentence => withoutScheme(sentence, policy))
        .join('')
    : found

function allowOrDefang(link: string, isMail: boolean, policy: LinkPolicy): string {
  const bare = link.replace(/^[/\\]{2}/, '')
  return (isMail ? mayBeMailed(bare, policy) : mayStay(`https://${bare}`, bare, policy)) ? link : defangLink(link)
}

const topLevel = new Set(topLevelDomains)
// Top-level domains that are also file extensions.
const fileEndings = new Set(['md', 'py', 'sh', 'rs', 'pl', 'ps', 'zip', 'mov'])

function isHost(found: string, hasPath: boolean, hasPort: boolean): boolean {
  const host = found.slice(found.lastIndexOf('@') + 1).replace(/^[/\\]{2}/, '')
  const labels = host.toLowerCase().split(/[.。]/)
  const last = labels.at(-1)?.replace(/(?<!-)-+$/, '') ?? ''
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || labels[0] === 'www') return true
  if ((/^[/\\]/.test(found) || hasPath) && /^(?:[\p{L}\p{M}]{2,}|xn--[a-z0-9-]+)$/u.test(last)) return true
  // A file name. With two labels only, there is no subdomain that could carry data.
  if (fileEndings.has(last) && labels.length === 2 && !hasPort && !found.includes('@')) return false
  // In scripts without spaces, text may follow the host directly.
  const latin = /^[a-z]{2,}(?=[^a-z0-9-])/.exec(last)?.[0] ?? ''
  return topLevel.has(last) || topLevel.has(latin) || last.startsWith('xn--')
}

const defangLink = (link: string): string =>
  link
    .replace(/^http/i, 'hxxp')
    .replace(/^(?!hxxp)([a-z][a-z0-9+.-]{0,30}):(?=[/\\]{2})/i, '$1[:]')
    .replace(/^mailto:/i, match => match.replace(':', '[:]'))
    .replace(/(?<=[^\s[])@(?=[^\s\]])/gu, '[@]')
    .replace(/(?<=[\p{L}\p{M}\p{N}_-])[.。](?=[\p{L}\p{M}\p{N}_-])/gu, '[.]')
