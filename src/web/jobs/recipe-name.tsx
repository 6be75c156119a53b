// The name of the source of a run, for people. Runs have its code.

import { useQuery } from 'urql'
import { JobRecipesDocument } from '../generated/documents/jobs.ts'
import { recipeText } from '../language/en/enrichment/recipes.ts'
import { plainWords } from '../language/values.ts'

export function RecipeName({ recipe }: { recipe: string }) {
  // The page's rows ask together, and once.
  const [{ data, fetching }] = useQuery({ query: JobRecipesDocument })
  const title = data?.recipes.nodes.find(({ name }) => name === recipe)?.title
  if (title === undefined && fetching) return null
  // The operator may have removed it.
  return title === undefined ? plainWords(recipe) : recipeText(title)
}
