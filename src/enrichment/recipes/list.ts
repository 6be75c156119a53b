// Recipes as callers see them, without the options of their steps.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { Page } from '../../kernel/lists/pagination.ts'
import { creditsOf } from '../../kernel/money.ts'
import { maxCost } from '../jobs/job.ts'
import { providers } from '../providers/all.ts'
import { notConfigured } from '../providers/provider.ts'
import { refusalOfStep } from './paid-step.ts'
import { type Recipe, recipesOf, type Step } from './recipe.ts'

export interface ListedStep extends Pick<Step, 'id' | 'provider' | 'fields' | 'price'> {
  unavailable: string | null
}

export interface ListedRecipe extends Pick<Recipe, 'name' | 'version' | 'title' | 'description' | 'kinds'> {
  /** The name of the recipe. */
  id: string
  isDefaultFor: string[]
  price: number
  /** Why it cannot do all that it says: of the first step that is skipped. */
  unavailable: string | null
  steps: ListedStep[]
}

const defaultKinds: Readonly<Record<string, string[]>> = { contact: ['contact'], company: ['company'], generic: ['*'] }

/** One sentence per step that is skipped because a setting is missing. */
export const unconfiguredSteps = (services: Context['services']): string[] =>
  [...recipesOf(services).values()].flatMap(({ name, steps }) =>
    steps.flatMap(({ id, provider, options }) => {
      const missing = notConfigured(providers[provider], options, services)
      return missing === null ? [] : [`the recipe ${name} skips its step ${id}: ${missing}`]
    }),
  )

/** All recipes on one page, because an installation has at most a few dozen. */
export async function listRecipes(context: Context): Promise<Page<ListedRecipe>> {
  const orgId = organizationOf(context)
  const recipes = [...recipesOf(context.services).values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const listed = await Promise.all(recipes.map(recipe => recipeForList(context, orgId, recipe)))
  const keyed = listed.map(row => ({ row, key: row.name }))
  return new Page(keyed, { size: listed.length, start: null, isBackward: false }, 'recipes', () => listed.length)
}

async function recipeForList(context: Context, orgId: string, recipe: Recipe): Promise<ListedRecipe> {
  const { name, version, title, description, kinds } = recipe
  const listed = recipe.steps.map(async (step): Promise<ListedStep> => {
    const { id, provider, fields, price, options } = step
    const missing = notConfigured(providers[provider], options, context.services)
    return { id, provider, fields, price, unavailable: missing ?? (await refusalOfStep(context, step, orgId)) }
  })
  const steps = await Promise.all(listed)
  return {
    ...{ id: name, name, version, title, description, kinds, isDefaultFor: defaultKinds[name] ?? [] },
    price: creditsOf(maxCost(recipe)),
    unavailable: steps.find(({ unavailable }) => unavailable !== null)?.unavailable ?? null,
    steps,
  }
}
