// The commands of a guide, run one chapter after the other as they stand, and what they print compared with what the guide shows.

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export interface Step {
  /** The heading and the line of the guide, for reports. */
  name: string
  commands: string
  /** What must be found in the output, in this order. */
  expected: string[]
}

/** The shell blocks of these chapters, named by their headings, each with the outputs shown in it and below it. */
export function stepsOf(guide: string, chapters: readonly string[]): Step[] {
  const steps: Step[] = []
  let chapter = ''
  let block: { language: string; lines: string[]; line: number } | undefined
  for (const [index, line] of guide.split('\n').entries()) {
    if (block && line === '```') {
      if (chapters.includes(chapter)) close(steps, chapter, block)
      block = undefined
    } else if (block) block.lines.push(line)
    else if (line.startsWith('```')) block = { language: line.slice(3), lines: [], line: index + 2 }
    else if (/^##+ /.test(line)) chapter = line.replace(/^#+ /, '')
  }
  return steps
}

function close(steps: Step[], chapter: string, { language, lines, line }: { language: string; lines: string[]; line: number }): void {
  const last = steps.at(-1)
  if (language === 'sh') {
    const commands = lines.filter(line => !/^(URL|CLAIM)=/.test(line) && !isShown(line)).join('\n')
    steps.push({ name: `${chapter}, line ${line}`, commands, expected: documents(lines.filter(isShown).map(line => line.slice(2))) })
    // What follows in json, or without a language, is what the block before prints.
  } else if ((language === 'json' || language === '') && last) last.expected.push(...documents(lines))
}

// Outputs shown between commands are comments that look like JSON, and their continuation.
const isShown = (line: string) => /^# ([{[]| {2})/.test(line)

// An indented line goes on with the document above it.
function documents(lines: readonly string[]): string[] {
  return lines.reduce<string[]>((found, line) => {
    if (/^\s/.test(line) && found.length > 0) found.push(`${found.pop()}\n${line}`)
    else found.push(line)
    return found
  }, [])
}

const literally: [RegExp, string][] = [
  // Ids, whole or cut.
  [/^[0-9a-f]{8}-[0-9a-f]{4}(?:-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|-\.\.\.)/, '[0-9a-f-]{36}'],
  [/^[0-9a-f]{8}-\.\.\./, '[0-9a-f-]{36}'],
  [/^\d{4}-\d{2}-\d{2}T[\d:.]+Z/, '\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z'],
  [/^\d{4}-\d{2}-\d{2}/, '\\d{4}-\\d{2}-\\d{2}'],
  [/^\.\.\./, '[\\s\\S]*?'],
  [/^\s+/, '\\s*'],
]

/** What a guide shows as a pattern: `...` stands for anything, ids and times for others, white space for any. */
export function patternOf(shown: string): RegExp {
  let source = ''
  for (let rest = shown.trim(); rest !== ''; ) {
    const [match, pattern] = literally.map(([from, to]) => [from.exec(rest)?.[0], to] as const).find(([match]) => match) ?? []
    const taken = match ?? rest.slice(0, 1)
    source += pattern ?? taken.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')
    rest = rest.slice(taken.length)
  }
  return new RegExp(source)
}

export interface Finding {
  step: string
  problem: string
}

const mark = (index: number) => `--- step ${index} ---`

/** Runs all steps in one shell, as a person at a terminal does. A variable that nothing has set ends it: it was never extracted. */
export async function runTour(steps: readonly Step[], at: { cwd: string; env: Record<string, string> }): Promise<Finding[]> {
  const script = ['set -u', ...steps.flatMap(({ commands }, index) => [`echo '${mark(index)}'`, commands, 'echo'])].join('\n')
  const shell = spawn('bash', ['-s'], { ...at, stdio: ['pipe', 'pipe', 'pipe'], timeout: 180_000 })
  shell.stdin.end(script)
  const [output, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return steps.flatMap(({ name, expected }, index) => {
    const begin = output.indexOf(mark(index))
    if (begin < 0) return [{ step: name, problem: `was not reached: ${complaints.trim().slice(-500)}` }]
    const end = output.indexOf(mark(index + 1))
    return differences(name, output.slice(begin + mark(index).length, end < 0 ? undefined : end), expected)
  })
}

function differences(step: string, printed: string, expected: readonly string[]): Finding[] {
  const findings: Finding[] = []
  let rest = printed
  for (const shown of expected) {
    const found = patternOf(shown).exec(rest)
    if (found) rest = rest.slice(found.index + found[0].length)
    else findings.push({ step, problem: `shows\n${shown}\nbut prints\n${rest.trim().slice(0, 1500)}` })
  }
  const failed = /"status":5\d\d/.exec(printed)
  if (failed) findings.push({ step, problem: `fails: ${printed.slice(failed.index - 200, failed.index + 500)}` })
  return findings
}
