// The recipes as callers see them: without what is sent to whom.

import { Page } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { creditsOf } from '../money.ts'
import { mostCost } from './job.ts'
import { refusedStep } from './paid-step.ts'
import { notConfigured } from './provider.ts'
import { providers } from './providers.ts'
import { type Recipe, recipesOf, type Step } from './recipe.ts'

export interface ListedStep extends Pick<Step, 'id' | 'provider' | 'fields' | 'price'> {
  unavailable: string | null
}

export interface ListedRecipe extends Pick<Recipe, 'name' | 'version' | 'title' | 'description' | 'kinds'> {
  /** Its name. */
  id: string
  isDefaultFor: string[]
  price: number
  steps: ListedStep[]
}

const defaultKinds: Readonly<Record<string, string[]>> = { contact: ['contact'], company: ['company'], generic: ['*'] }

/** A sentence for each step that this installation lacks a setting for. */
export const unconfiguredSteps = (services: Context['services']): string[] =>
  [...recipesOf(services).values()].flatMap(({ name, steps }) =>
    steps.flatMap(({ id, provider, options }) => {
      const missing = notConfigured(providers[provider], options, services)
      return missing === null ? [] : [`the recipe ${name} skips its step ${id}: ${missing}`]
    }),
  )

/** All of them: there are never more than fit a page. */
export async function listRecipes(context: Context): Promise<Page<ListedRecipe>> {
  const orgId = organizationOf(context)
  const recipes = [...recipesOf(context.services).values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const listed = await Promise.all(recipes.map(recipe => listedRecipe(context, orgId, recipe)))
  const keyed = listed.map(row => ({ row, key: row.name }))
  return new Page(keyed, { size: listed.length, start: null }, 'recipes', listed.length)
}

async function listedRecipe(context: Context, orgId: string, recipe: Recipe): Promise<ListedRecipe> {
  const { name, version, title, description, kinds } = recipe
  const steps = recipe.steps.map(async (step): Promise<ListedStep> => {
    const { id, provider, fields, price, options } = step
    const missing = notConfigured(providers[provider], options, context.services)
    return { id, provider, fields, price, unavailable: missing ?? (await refusedStep(context, step, orgId)) }
  })
  return {
    ...{ id: name, name, version, title, description, kinds, isDefaultFor: defaultKinds[name] ?? [] },
    price: creditsOf(mostCost(recipe)),
    steps: await Promise.all(steps),
  }
}
