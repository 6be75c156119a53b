// All regular expressions of the sources, as text and flags, with their places.

import { globSync, readFileSync } from 'node:fs'
import { ts } from '@ts-morph/common'

export interface Found {
  /** `src/kernel/ids.ts:12`. */
  place: string
  source: string
  flags: string
}

// What only builds read is this repository.
const builds = /^src\/(generated|web\/(generated|build|vite\.config)|server\/bundle|client\/(build|generated))/

/** The literals. Expressions that are put together at run time have none, and are listed by `composed`. */
export const literals: readonly Found[] = []
/** The files that make expressions of text. */
export const composed: ReadonlySet<string> = new Set()

for (const file of globSync('src/**/*.{ts,tsx}')) {
  if (builds.test(file)) continue
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
      ;(literals as Found[]).push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
      (composed as Set<string>).add(file)
    ts.forEachChild(node, visit)
  }
  visit(source)
}
