// A guide's fenced blocks: commands to run, outputs to compare, files to write.
//
//   sh                     run in one shell, in order, after the files and blocks before it; a line `npm start` starts the server again
//   sh not-run="why"       named and counted as skipped
//   json, or no language   what the block before prints; in a sh block, comments that look like JSON are that too
//   ts                     run as a module of its own, with the client of the README's first one; `// -> text` is what it prints
//   <any> file=path        written to this path before the next commands

export interface Block {
  /** File, heading and line, for reports. */
  name: string
  language: string
  /** Why the block is not run. */
  notRun: string | undefined
  /** The path that the block is written to. */
  file: string | undefined
  lines: string[]
}

export function blocksOf(guide: string, markdown: string): Block[] {
  const blocks: Block[] = []
  let section = ''
  let block: Block | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    if (block && line === '```') block = undefined
    else if (block) block.lines.push(line)
    else if (line.startsWith('```')) {
      const [, language = '', info = ''] = /^```(\S*)(.*)$/.exec(line) ?? []
      const notRun = / not-run="([^"]+)"/.exec(info)?.[1]
      const file = / file=(\S+)/.exec(info)?.[1]
      if (info !== '' && notRun === undefined && file === undefined)
        throw new Error(`${guide}, line ${index + 1}: unknown "${info.trim()}"`)
      block = { name: `${guide}, ${section}, line ${index + 1}`, language, notRun, file, lines: [] }
      blocks.push(block)
    } else if (/^##? /.test(line)) section = line.replace(/^#+ /, '')
  }
  return blocks
}

export type Step = { name: string } & (
  | { kind: 'write'; path: string; text: string }
  | { kind: 'run'; commands: string /** Texts that the output must contain, in this order. */; expected: string[] }
  /** The server is stopped and started again. */
  | { kind: 'start' }
)

/** The steps of a reader, in order. Blocks in other languages are not run. */
export function stepsOf(blocks: readonly Block[]): Step[] {
  const steps: Step[] = []
  let isRun = false
  for (const { name, language, notRun, file, lines } of blocks) {
    if (file !== undefined) steps.push({ name, kind: 'write', path: file, text: `${lines.join('\n')}\n` })
    else if (language === 'sh') {
      isRun = notRun === undefined
      if (isRun) steps.push(...commandsOf(name, lines))
    } else if (language === 'ts') {
      isRun = notRun === undefined
      if (isRun) steps.push(...moduleOf(name, lines))
    } else if ((language === 'json' || language === '') && isRun) lastRun(steps)?.expected.push(...documents(language, lines))
  }
  return steps
}

const lastRun = (steps: readonly Step[]) => steps.findLast(step => step.kind === 'run')

function commandsOf(name: string, lines: readonly string[]): Step[] {
  const steps: Step[] = []
  let rest = lines
  for (;;) {
    const start = rest.findIndex(line => /^npm start\b/.test(line))
    const taken = start < 0 ? rest : rest.slice(0, start)
    // URL and CLAIM of the reader's own server come from the environment.
    const commands = taken.filter(line => !/^(URL|CLAIM)=/.test(line) && !isShown(line)).join('\n')
    if (commands.trim())
      steps.push({
        name,
        kind: 'run',
        commands,
        expected: documents(
          'json',
          taken.filter(isShown).map(line => line.slice(2)),
        ),
      })
    if (start < 0) return steps
    steps.push({ name, kind: 'start' })
    rest = rest.slice(start + 1)
  }
}

// What the README's first example of the client begins with. Later ones are shown without it.
const beginning = [
  "import { createClient, isRolocomError } from 'rolocom/client'",
  "const client = createClient({ url: process.env.URL ?? '', key: process.env.KEY })",
]
const example = '.tour-example.ts'

/** A module's source: the block, behind the beginning that it does not show. */
export function sourceOf(lines: readonly string[]): string {
  const isWhole = lines.some(line => /^import .* from 'rolocom\/client/.test(line))
  return [...(isWhole ? [] : beginning), ...lines, ''].join('\n')
}

function moduleOf(name: string, lines: readonly string[]): Step[] {
  const expected = lines.flatMap(line => / ?\/\/ -> (.+)$/.exec(line)?.[1] ?? [])
  return [
    { name, kind: 'write', path: example, text: sourceOf(lines) },
    { name, kind: 'run', commands: `node_modules/.bin/node -C rolocom-source ${example}`, expected },
  ]
}

// Output between commands is a comment that looks like JSON or continues it, or a key.
const isShown = (line: string) => /^# ([{[]| {2}|rcm_)/.test(line)

// In JSON, an indented line or a closing bracket continues the document above it.
function documents(language: string, lines: readonly string[]): string[] {
  return lines.reduce<string[]>((found, line) => {
    if (language === 'json' && /^[\s}\]]/.test(line) && found.length > 0) found.push(`${found.pop()}\n${line}`)
    else if (line !== '') found.push(line)
    return found
  }, [])
}

const placeholders: [RegExp, string][] = [
  // Answers that depend on timing match both of their values, and no third. A wake is coalesced if the worker's poll requests the
  // heartbeat first; the provider may report `ringing` before the answer of the dial is read.
  [/^"outcome":"queued"/, '"outcome":"(?:queued|coalesced)"'],
  [/^"dispatch_state":"dispatched","status":"queued"/, '"dispatch_state":"dispatched","status":"(?:queued|ringing)"'],
  // Ids, whole or abbreviated with `...`.
  [/^[0-9a-f]{8}-[0-9a-f]{4}(?:-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|-\.\.\.)/, '[0-9a-f-]{36}'],
  [/^[0-9a-f]{8}-\.\.\./, '[0-9a-f-]{36}'],
  [/^\d{4}-\d{2}-\d{2}T[\d:.]+Z/, '\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z'],
  [/^\d{4}-\d{2}-\d{2}/, '\\d{4}-\\d{2}-\\d{2}'],
  [/^\.\.\./, '[\\s\\S]*?'],
  [/^\s+/, '\\s*'],
]

/** The shown output as a pattern: `...` matches anything, ids and times match others, white space matches any. */
function patternOf(shown: string): RegExp {
  let source = ''
  for (let rest = shown.trim(); rest !== ''; ) {
    const [match, pattern] = placeholders.map(([from, to]) => [from.exec(rest)?.[0], to] as const).find(([match]) => match) ?? []
    const taken = match ?? rest.slice(0, 1)
    source += pattern ?? taken.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')
    rest = rest.slice(taken.length)
  }
  return new RegExp(source)
}

/** The problems of a step: expected texts that its output lacks, and server errors. */
export function differences(printed: string, expected: readonly string[]): string[] {
  const problems: string[] = []
  let rest = printed
  for (const shown of expected) {
    const found = patternOf(shown).exec(rest)
    if (found) rest = rest.slice(found.index + found[0].length)
    else problems.push(`the guide shows\n${shown}\nbut it prints\n${rest.trim().slice(0, 1500)}`)
  }
  const failed = /"status":5\d\d/.exec(printed)
  if (failed) problems.push(`fails: ${printed.slice(Math.max(0, failed.index - 200), failed.index + 500)}`)
  return problems
}
