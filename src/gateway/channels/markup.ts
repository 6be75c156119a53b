// Markdown, which models write, in the markup of a channel that has its own: emphasis, headings, lists, links and code. Elements that a markup
// lacks, such as tables, stay as they were written.

import { lexer, type Token, type Tokens } from 'marked'

export interface Markup {
  bold: string
  italic: string
  strike: string
  bullet: string
  /** Stands between a word and a mark, where the channel reads no mark without one. */
  joiner: string
  link(label: string, address: string): string
  /** Text that the channel must not read as markup. */
  escape(text: string): string
}

/** The text in the markup. It is at most as long, apart from what `escaped` adds. */
export function markUp(markdown: string, markup: Markup): string {
  try {
    return blocks(lexer(spaceBold(markdown)), markup)
      .replaceAll(space, markup.joiner)
      .trimEnd()
  } catch (error) {
    // The parser is recursive: a thousand nested quotes overflow the stack. They stay as they were written.
    if (error instanceof RangeError) return markup.escape(markdown).trimEnd()
    throw error
  }
}

// Markdown reads no mark between punctuation and a letter. Chinese, Japanese and Korean have no blank there: `**重点：**内容`.
const space = '\ufeff'
const spaceBold = (markdown: string): string =>
  markdown.replace(/\*\*([^*\n]{1,300})\*\*/g, (bold: string, text: string, at: number) => {
    const [before, after] = [markdown.slice(Math.max(0, at - 1), at), markdown.slice(at + bold.length, at + bold.length + 1)]
    return (
      (unspaced.test(before) && punctuation.test(text.charAt(0)) ? space : '') +
      bold +
      (unspaced.test(after) && punctuation.test(text.slice(-1)) ? space : '')
    )
  })
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const punctuation = /[\p{P}\p{S}]/u

const blocks = (tokens: readonly Token[], markup: Markup): string => tokens.map(token => block(token, markup)).join('')

function block(token: Token, markup: Markup): string {
  switch (token.type) {
    case 'heading':
      return around(markup.bold, flat((token as Tokens.Heading).tokens, markup)) + endOf(token)
    case 'paragraph':
    case 'text':
      return inline((token as Tokens.Paragraph).tokens ?? [], token, markup) + endOf(token)
    case 'list':
      return (token as Tokens.List).items.map(item => listItem(item, markup)).join('') + endOf(token)
    case 'blockquote':
      return `> ${blocks((token as Tokens.Blockquote).tokens, markup)
        .trimEnd()
        .replaceAll('\n', '\n> ')}${endOf(token)}`
    case 'code': {
      const { lang, text, raw } = token as Tokens.Code
      // Only a fence has a language, which these channels would show as the first line of the code.
      if (lang === undefined) return markup.escape(raw)
      // Marks within the code, where its fence had more of them or others, would end it.
      return `\`\`\`\n${markup.escape(text).replaceAll('```', '`\u200b``')}\n\`\`\`${endOf(token)}`
    }
    default:
      return markup.escape(token.raw)
  }
}

function listItem(item: Tokens.ListItem, markup: Markup): string {
  const [, indent = '', marker = ''] = /^([ \t]{0,20})([-*+]|\d{1,9}[.)])/.exec(item.raw) ?? []
  const text = blocks(item.tokens, markup).trim().replaceAll('\n', '\n  ')
  return `${indent}${/\d/.test(marker) ? marker : markup.bullet} ${text}${endOf(item)}`
}

const inline = (tokens: readonly Token[], { raw }: Token, markup: Markup): string =>
  tokens.length === 0
    ? markup.escape(raw.trimEnd())
    : tokens
        .map((token, at) => {
          const text = span(token, markup)
          if (!marked.has(token.type)) return text
          const [before, after] = [tokens[at - 1]?.raw ?? '', tokens[at + 1]?.raw ?? '']
          return (/[\p{L}\p{N}]$/u.test(before) ? markup.joiner : '') + text + (/^[\p{L}\p{N}]/u.test(after) ? markup.joiner : '')
        })
        .join('')

const marked = new Set(['strong', 'em', 'del'])
// Not the characters of an address: links are checked before their backslashes go.
const unescaped = /^[*_~`#>+!|()[\]{}<-]$/

function span(token: Token, markup: Markup): string {
  switch (token.type) {
    case 'strong':
      return around(markup.bold, flat((token as Tokens.Strong).tokens, markup))
    case 'em':
      return around(markup.italic, inline((token as Tokens.Em).tokens, token, markup))
    case 'del':
      return around(markup.strike, inline((token as Tokens.Del).tokens, token, markup))
    case 'link':
    case 'image': {
      const { raw, href } = token as Tokens.Link
      // An address that stands for itself, or one that is none: as it was written.
      if (!/^!?\[/.test(raw) || !/^(?:https?:\/\/|mailto:)/i.test(href)) return markup.escape(raw)
      return markup.link(labelOf(token).replaceAll('\n', ' ').trim(), href)
    }
    case 'escape': {
      const { raw, text } = token as Tokens.Escape
      return markup.escape(unescaped.test(text) ? text : raw)
    }
    case 'text':
      return 'tokens' in token && token.tokens ? token.tokens.map(part => span(part, markup)).join('') : markup.escape(token.raw)
    default:
      return markup.escape(token.raw)
  }
}

/** The text of a token: the labels of links have no emphasis. */
const labelOf = (token: Token): string => {
  if ('tokens' in token && token.tokens && token.tokens.length > 0) return token.tokens.map(labelOf).join('')
  return token.type === 'text' || !('text' in token) ? token.raw : token.text
}

// Bold within bold would end it.
const flat = (tokens: readonly Token[], markup: Markup): string =>
  tokens.map(token => (token.type === 'strong' ? flat((token as Tokens.Strong).tokens, markup) : span(token, markup))).join('')

const around = (mark: string, text: string) => (text.trim() === '' ? text : `${mark}${text}${mark}`)

/** The line breaks and blanks at the end of a token. */
const endOf = ({ raw }: Pick<Token, 'raw'>): string => raw.slice(raw.trimEnd().length)
