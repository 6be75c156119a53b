// The recipes as callers see them: without what is sent to whom.

import { Page } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { creditsOf } from '../money.ts'
import { mostCost } from './job.ts'
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

/** All of them: there are never more than fit a page. */
export function listRecipes(context: Context): Page<ListedRecipe> {
  organizationOf(context)
  const recipes = [...recipesOf(context.services).values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(recipe => ({
      id: recipe.name,
      name: recipe.name,
      version: recipe.version,
      title: recipe.title,
      description: recipe.description,
      kinds: recipe.kinds,
      isDefaultFor: defaultKinds[recipe.name] ?? [],
      price: creditsOf(mostCost(recipe)),
      steps: recipe.steps.map(({ id, provider, fields, price, options }) => {
        const known = providers[provider]
        const unavailable = known?.missing?.(known.options.parse(options), context) ?? null
        return { id, provider, fields, price, unavailable }
      }),
    }))
  const keyed = recipes.map(row => ({ row, key: row.name }))
  return new Page(keyed, { size: recipes.length, start: null }, 'recipes', recipes.length)
}
