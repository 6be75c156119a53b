// Reviews of migrations: what each statement does to processes of the previous release that serve meanwhile. Codegen writes them to
// prisma/migrations/reviews.json, so that a server needs no parser of SQL.

import { type ParseResult, parse } from 'libpg-query'
import { outsideTransaction, repeated } from '../script.ts'
import type { Finding, Review } from './reviews.ts'
import type { Known, Scope } from './scope.ts'
import { statementRules } from './statement-rules.ts'

/** Reviews migrations in their order. Throws where a script is not PostgreSQL's SQL. */
export async function reviewMigrations(migrations: readonly { name: string; script: string }[]): Promise<Record<string, Review>> {
  const known: Known = { constraints: new Map() }
  const reviews: Record<string, Review> = {}
  for (const { name, script } of migrations) {
    const [, after] = /^-- contract: after (\w+)$/m.exec(script) ?? []
    if (after !== undefined && !Object.hasOwn(reviews, after))
      throw new Error(`Migration ${name} is a contraction after ${after}, which is no migration before it`)
    reviews[name] = { ...(after !== undefined && { after }), findings: await findingsOf(script, known) }
  }
  return reviews
}

async function findingsOf(script: string, known: Known): Promise<Finding[]> {
  const findings: Finding[] = []
  const created = new Set<string>()
  for (const { statement, text, line } of statementsOf(script, await parse(script))) {
    const add = (effect: Finding['effect'], text: string) => void findings.push({ line, effect, text })
    const scope: Scope = {
      known,
      created,
      isOutside: script.startsWith(outsideTransaction),
      isRepeated: repeated.test(text),
      breaks: text => add('breaks', text),
      blocks: text => add('blocks', text),
    }
    const [[type = '', node] = []] = Object.entries(statement)
    const rule = statementRules[type]
    // The parser's types say that a node belongs to its name.
    if (rule) rule(node as never, scope)
    else add('breaks', `${type} cannot be judged`)
  }
  return findings
}

function statementsOf(script: string, { stmts = [] }: ParseResult) {
  // The parser counts bytes.
  const bytes = Buffer.from(script)
  const textIn = (start: number, end?: number) => bytes.subarray(start, end).toString()
  let previousEnd = 0
  return stmts.map(({ stmt = {}, stmt_location: start = 0, stmt_len: length }) => {
    const end = length ? start + length : bytes.length
    // With the comments before it, which the parser counts to the statement or leaves out.
    const text = textIn(previousEnd, end)
    previousEnd = end + 1
    const [comments = ''] = /^(\s|--.*$)*/m.exec(textIn(start, end)) ?? []
    return { statement: stmt, text, line: `${textIn(0, start)}${comments}`.split('\n').length }
  })
}
