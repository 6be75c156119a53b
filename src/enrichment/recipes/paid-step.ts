// Steps that the operator pays for, and the organizations that may use them.

import { mayUsePaid, requirePaid } from '../../identity/organizations/first.ts'
import type { Context } from '../../kernel/context.ts'
import { perObject } from '../../kernel/per-object.ts'
import { providers } from '../providers/all.ts'
import { notAllowed } from '../providers/provider.ts'
import type { Recipe, Step } from './recipe.ts'

/** Whether the step uses a paid account of the operator. */
const isPaid = perObject<Step, boolean>(({ provider, options }) => {
  const known = providers[provider]
  return known?.isPaid?.(known.options.parse(options)) ?? false
})

/** Why the organization may not use the step; null if it may. */
export async function refusalOfStep({ services }: Pick<Context, 'services'>, step: Step, orgId: string): Promise<string | null> {
  return isPaid(step) && !(await mayUsePaid(services, orgId)) ? notAllowed : null
}

/** Throws FORBIDDEN when all steps are paid and the organization may not use them. In other recipes only the paid steps are skipped. */
export async function requireRecipe(context: Context, { name, steps }: Recipe): Promise<void> {
  if (steps.every(isPaid)) await requirePaid(context, `the recipe ${name}`)
}
