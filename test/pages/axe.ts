// The accessibility violations that axe finds on a page, of serious or critical impact.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function violations(page: Page): Promise<string[]> {
  // Evaluated, not added as a script element, which the page's Content-Security-Policy forbids.
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    interface Node {
      target: unknown[]
      failureSummary?: string
    }
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; impact: string; nodes: Node[] }[] }> }
    }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    // Ignored: GraphiQL's tabs contain a button each (<li role="tab"><button>).
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
