// Notes of other systems are written in HTML. Pure, and linear in the text: the tokenizer keeps no stack of open elements.

import { Tokenizer } from 'htmlparser2'

const names = (text: string) => new Set(text.split(' '))

// Where one of them begins or ends, a line ends.
const blocks = names(
  'address article blockquote body div dl dt dd footer form h1 h2 h3 h4 h5 h6 header hr html li ol p pre section table tr ul',
)
const inline = names('a b br code em font i img s small span strong sub sup td th u')
// Their content is not read.
const unread = names('head script style template title')
// Stand for the end of a block and for `<br>` until the whole text is known. The source's own become spaces.
const [blockEnd, lineEnd] = ['\r', '\f']
// Longer addresses are tracking, or hostile.
const maxAddress = 2000

/** The text of a note: paragraphs and lines of HTML become lines, links keep their addresses, other marks are left out. */
export function textOfMarkup(text: string): string {
  const found = reader(text)
  return found.isMarkup ? linesOf(found) : text
}

function reader(source: string) {
  let text = ''
  let isMarkup = false
  let hasLines = false
  let tag = { name: '', start: 0 }
  let attribute = ''
  let address = ''
  let link = { address: '', from: 0 }
  let skipped: string | null = null
  let isItem = false

  const nameOf = (start: number, end: number) => source.slice(start, end).toLowerCase()
  const write = (more: string) => {
    if (skipped === null) text += more
  }
  const add = (more: string) => {
    if (isItem && more.trim() !== '') {
      isItem = false
      write('- ')
    }
    write(more.replaceAll(blockEnd, ' ').replaceAll(lineEnd, ' '))
  }
  const seen = (name: string) => {
    const isBlock = blocks.has(name)
    if (isBlock || inline.has(name)) isMarkup = true
    if (isBlock || name === 'br') hasLines = true
    return isBlock
  }
  const end = (name: string) => {
    if (name === skipped) skipped = null
    if (seen(name)) write(blockEnd)
    if (name === 'td' || name === 'th') write(' ')
    if (name !== 'a' || link.address === '') return
    if (!text.slice(link.from).includes(link.address)) add(` (${link.address})`)
    link = { address: '', from: 0 }
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => add(source.slice(start, end)),
      ontextentity: codePoint => add(String.fromCodePoint(codePoint)),
      onopentagname(start, end) {
        tag = { name: nameOf(start, end), start: start - 1 }
        address = ''
      },
      onattribname(start, end) {
        attribute = tag.name === 'a' ? nameOf(start, end) : ''
      },
      onattribdata(start, end) {
        if (attribute === 'href') address += source.slice(start, end)
      },
      onattribentity(codePoint) {
        if (attribute === 'href') address += String.fromCodePoint(codePoint)
      },
      onattribend() {},
      onopentagend(at) {
        const { name, start } = tag
        // Such as `<ada@example.com>`: no element.
        if (!isElement(name)) return add(source.slice(start, at + 1))
        if (seen(name)) write(blockEnd)
        if (name === 'br') write(lineEnd)
        if (name === 'li') isItem = true
        if (name === 'a' && isAddress(address)) link = { address, from: text.length }
        if (unread.has(name)) skipped ??= name
      },
      onselfclosingtag(at) {
        this.onopentagend(at)
      },
      onclosetag: (start, at) => end(nameOf(start, at)),
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  tokenizer.write(source)
  tokenizer.end()
  return { text, isMarkup, hasLines }
}

// A name of HTML, or of a program's own elements, such as `o:p`.
const isElement = (name: string) => /^[a-z][a-z0-9:_-]*$/.test(name)
const isAddress = (text: string) => text.length <= maxAddress && /^(?:https?|mailto|tel):/i.test(text)

function linesOf({ text, hasLines }: { text: string; hasLines: boolean }): string {
  const plain = hasLines ? text.replace(/[ \t\n\u00a0]+/g, ' ') : text.replaceAll('\u00a0', ' ')
  const blocks = plain.split(blockEnd).filter(block => block.trim() !== '' || block.includes(lineEnd))
  const lines = blocks.flatMap(block => {
    const parts = block.split(lineEnd).map(line => line.trim())
    // The last `<br>` of a block shows no line.
    return parts.length > 1 && parts.at(-1) === '' ? parts.slice(0, -1) : parts
  })
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
