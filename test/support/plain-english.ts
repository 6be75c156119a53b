// Finds sentences that a stranger has to read twice, and the texts of a file in which they are sought.

const patterns: readonly [pattern: RegExp, advice: string][] = [
  [/^(What|Who|Whom|Whose|Whoever|Whatever)\b(?!.*\?)/, 'begin with the noun: "Role of a member.", not "What somebody is."'],
  [/\b(that|those) of\b/i, 'repeat the noun: "the id of the run", not "that of the run"'],
  [/\bof (which|whom|those|what|whose)\b/i, 'make two sentences, or name the noun'],
  [/\bwhat (is|was|are|were|has|had)\b(?!.*\?)/i, 'write the noun: "the remaining credits", not "what is left"'],
  [/\bwhat (it|they) (is|are|was|were) (about|for)\b/i, 'write the noun: "its subject", "its purpose"'],
  [/\bby now\b/i, 'write "now" or "already"'],
  [/\bas (it|they|he|she) left (it|them)\b/i, 'write the state: "unchanged"'],
  [/\bwhich none\b/i, 'write "no"'],
  [/\b(anew|afresh|thereby|thereof|whoever|lest)\b/i, 'write the common word: "again", "so", "anyone who"'],
]

/** The faulty sentences of a text, each with what to write instead. */
export const findings = (text: string): string[] =>
  sentences(text).flatMap(sentence =>
    patterns.filter(([pattern]) => pattern.test(sentence)).map(([, advice]) => `${sentence.slice(0, 160)} (${advice})`),
  )

// A pattern is sought in whole sentences, whose code spans do not count.
const sentences = (text: string): string[] =>
  text
    .replace(/`[^`\n]*`/g, 'X')
    .split(/(?:\r?\n[ \t]*){2,}|(?<=[.!?])\s+|(?<=[:;])\s+(?=[A-Z])/)
    .map(sentence => sentence.replace(/\s+/g, ' ').trim())
    .filter(sentence => sentence.includes(' '))

/** Comments of TypeScript. Consecutive lines of `//` are one text, as is a block. */
export const comments = (source: string): string[] =>
  [...source.matchAll(/(?:^[ \t]*\/\/.*\n)+|\/\*[\s\S]*?\*\/|(?<=[\s;{(,])\/\/ .*/gm)].map(([found]) =>
    found.replace(/^[ \t]*(\/\/|\/\*\*?|\*\/|\*)[ \t]?/gm, '').replace(/\*\/$/, ''),
  )

/** Texts of TypeScript with a capital and a space, in any kind of quotes. */
export const messages = (source: string): string[] =>
  [...source.replace(/^[ \t]*(\/\/|\*|\/\*).*$/gm, '').matchAll(/(['"`])([A-Z](?:\\.|(?!\1)[^\\\n])* (?:\\.|(?!\1)[^\\\n])*)\1/g)].map(
    match => match[2] ?? '',
  )

/** Names of tests: first arguments, also behind the table of `each`, and the keys of tables and stories. */
export const testNames = (source: string): string[] => nameForms.flatMap(form => [...source.matchAll(form)].map(match => match[2] ?? ''))

const quoted = String.raw`(['"\`])((?:\\.|(?!\1)[^\\])*)\1`
const nameForms = [
  new RegExp(String.raw`(?<![.\w])(?:test|it|describe|story|check)(?:\.\w+)*\(\s*${quoted}`, 'g'),
  new RegExp(String.raw`\)\(\s*${quoted}`, 'g'),
  new RegExp(String.raw`^[ \t]*${quoted}(?=: |\()`, 'gm'),
]

/** Descriptions and comments of GraphQL. */
export const graphqlTexts = (document: string): string[] => [
  ...[...document.matchAll(/"""([\s\S]*?)"""/g)].map(match => match[1] ?? ''),
  ...[...document.matchAll(/(?:^[ \t]*#.*\n)+/gm)].map(([found]) => found.replace(/^[ \t]*# ?/gm, '')),
]

/** Paragraphs, list items and table cells of a guide, without code and headings: other guides link to those. */
export const prose = (markdown: string): string[] =>
  markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/^#.*$|<[^>\n]+>/gm, '')
    .split(/\n[ \t]*\n|\n(?=[ \t]*(?:[-*]|\d+\.) |\|)/)
    .flatMap(text => (text.trimStart().startsWith('|') ? text.split(/(?<!\\)\|/) : [text]))
    .map(text =>
      text
        .replace(/^\s*(?:[-*]|\d+\.) /, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll('**', ''),
    )
