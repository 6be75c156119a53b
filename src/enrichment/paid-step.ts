// Steps that the operator pays for: which they are, and whom they serve.

import type { Context } from '../context.ts'
import { mayUsePaid, requirePaid } from '../identity/first-organization.ts'
import { ofEach } from '../own.ts'
import { providers } from './providers.ts'
import type { Recipe, Step } from './recipe.ts'

/** Whether the step asks with the operator's own key. */
export const isPaid = ofEach<Step, boolean>(({ provider, options }) => {
  const known = providers[provider]
  return known?.isPaid?.(known.options.parse(options)) ?? false
})

/** In one word why the step is skipped for the organization; null where it serves it. */
export async function refusedStep({ services }: Pick<Context, 'services'>, step: Step, orgId: string): Promise<string | null> {
  return isPaid(step) && !(await mayUsePaid(services, orgId)) ? 'organization_not_allowed' : null
}

/** Throws FORBIDDEN for a recipe that could do nothing for the organization; of any other the paid steps are skipped. */
export async function requireRecipe(context: Context, { name, steps }: Recipe): Promise<void> {
  if (steps.every(isPaid)) await requirePaid(context, `the recipe ${name}`)
}
