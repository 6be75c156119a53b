// Renders Markdown as HTML, with the same heading anchors as a git host. Loaded at the first request for a guide.

import GithubSlugger from 'github-slugger'
import { Marked, type Tokens } from 'marked'

/** Renders a guide. `addressOf` maps a relative link to a URL; for null, only the link's text is rendered. */
export function render(markdown: string, addressOf: (link: string) => string | null): string {
  const slugger = new GithubSlugger()
  let section = ''
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        section = text.replaceAll('`', '')
        const anchor = slugger.slug(section)
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(section)}">#</a>`
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens)
        const address = /^(https?:|#)/.test(href) ? href : addressOf(href)
        return address === null ? words : `<a href="${escapeHtml(address)}">${words}</a>`
      },
      // HTML has the pictures that a git host shows; the server does not serve them.
      html: () => '',
      // Wide blocks scroll horizontally on phones; tabindex makes them scrollable by keyboard.
      code({ text, lang = '' }: Tokens.Code) {
        const [, file] = / file=(\S+)/.exec(lang) ?? []
        const caption = file === undefined ? '' : `<figcaption><code>${escapeHtml(file)}</code></figcaption>`
        return `<figure>${caption}<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></figure>\n`
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], element: 'th' | 'td') =>
          `<tr>${cells.map(cell => `<${element}>${this.parser.parseInline(cell.tokens)}</${element}>`).join('')}</tr>`
        // An empty header row is left out: a screen reader would announce empty cells.
        const isNamed = token.header.some(cell => cell.text !== '')
        const head = isNamed ? `<thead>${row(token.header, 'th')}</thead>` : ''
        const body = token.rows.map(cells => row(cells, 'td')).join('\n')
        const name = `Table: ${escapeHtml(section)}`
        return `<div class="wide" role="group" aria-label="${name}" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, character => entities[character] ?? character)
