// What axe finds on a page, of serious or critical impact.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function violations(page: Page): Promise<string[]> {
  // Not by a script element, which the page's policy forbids.
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    interface Node {
      target: unknown[]
      failureSummary?: string
    }
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: Node[] }[] }> } }
    const { violations } = await axe.run()
    // GraphiQL's own tabs hold a button each, which is the tab's name: <li role="tab"><button>.
    const isKnown = (id: string, { target }: Node) =>
      id === 'nested-interactive' && document.querySelector(String(target[0]))?.matches('li.graphiql-tab')
    return violations
      .map(({ nodes, ...violation }) => ({ ...violation, nodes: nodes.filter(node => !isKnown(violation.id, node)) }))
      .filter(({ nodes }) => nodes.length > 0)
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.target.join(' ')} ${nodes[0]?.failureSummary?.replace(/\s+/g, ' ')}`)
  })
  return found
}
