// Recipes: versioned files that say which providers are asked, in which order, for what. Checked at start; a version never changes.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import { ConfigError } from '../config.ts'
import type { Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { amountCeiling, isAmount } from '../money.ts'
import { fieldNamed, isFieldName } from './field.ts'
import { isProvider, providers } from './providers.ts'

const name = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
const field = z.string().transform(fieldNamed).refine(isFieldName, 'is no name of a field')
const share = z.number().min(0).max(1)
const seconds = (most: number) => z.number().int().min(1).max(most)

const step = z
  .strictObject({
    id: name,
    provider: z.string().refine(isProvider, 'is none of the providers'),
    /** What is taken from it. */
    fields: z.array(field).min(1),
    /** Facts without which it is not asked. */
    needs: z.array(field).default([]),
    /** Facts that must be so: true for there, false for not, or a text. */
    if: z.record(field, z.union([z.boolean(), z.string()])).default({}),
    /** `missing` asks only for what the record has not got. */
    when: z.enum(['any', 'missing']).default('any'),
    /** An answer this good ends the search for its field. */
    stop_on: share.default(0.8),
    timeout_seconds: seconds(300).default(15),
    /** Credits, when it finds something. */
    price: z.number().min(0).lt(amountCeiling).refine(isAmount, 'must have at most 6 decimals').default(0),
    with: z.record(z.string(), z.unknown()).default({}),
  })
  .transform(({ stop_on, timeout_seconds, with: options, ...rest }) => ({
    ...rest,
    stopOn: stop_on,
    timeoutSeconds: timeout_seconds,
    options,
  }))

const recipe = z
  .strictObject({
    name,
    version: z.number().int().min(1).max(1_000_000),
    title: z.string().min(1).max(200),
    description: z.string().max(2000).default(''),
    /** Kinds of targets it is for. Absent: any. */
    kinds: z.array(z.string().min(1).max(64)).min(1).nullable().default(null),
    timeout_seconds: seconds(3600).default(120),
    expires_after_days: z.number().int().min(1).max(3650).default(30),
    auto_apply: z
      .strictObject({ min_confidence: share, fields: z.array(field).min(1) })
      .transform(({ min_confidence, fields }) => ({ minConfidence: min_confidence, fields }))
      .nullable()
      .default(null),
    steps: z.array(step).min(1).max(50),
  })
  .transform(({ timeout_seconds, expires_after_days, auto_apply, ...rest }) => ({
    ...rest,
    timeoutSeconds: timeout_seconds,
    expiresAfterDays: expires_after_days,
    autoApply: auto_apply,
  }))

export type Recipe = z.output<typeof recipe>
export type Step = Recipe['steps'][number]

/** What runs for a kind when nothing is asked for. */
export const defaultRecipe = (kind: string): string => (kind === 'contact' || kind === 'company' ? kind : 'generic')

const own = path.join(import.meta.dirname, 'recipes')
const loaded = new WeakMap<Services, ReadonlyMap<string, Recipe>>()

/** The recipes of this installation by name: ours, and the operator's, which may replace ours. Throws ConfigError with every problem. */
export function recipesOf(services: Services): ReadonlyMap<string, Recipe> {
  let recipes = loaded.get(services)
  if (!recipes) loaded.set(services, (recipes = readRecipes(services.config.ENRICHMENT_RECIPES)))
  return recipes
}

/** Reads our recipes and those of a further folder. */
export function readRecipes(folder?: string): ReadonlyMap<string, Recipe> {
  const problems: string[] = []
  const recipes = new Map<string, Recipe>()
  for (const from of folder === undefined ? [own] : [own, folder]) {
    const here = new Set<string>()
    for (const file of filesIn(from, problems)) {
      const read = readRecipe(path.join(from, file), problems)
      if (!read) continue
      if (here.has(read.name)) problems.push(`${file}: the name ${read.name} is taken by another file`)
      here.add(read.name)
      recipes.set(read.name, read)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.map(problem => `Recipe ${problem}`))
  return recipes
}

function filesIn(folder: string, problems: string[]): string[] {
  try {
    return readdirSync(folder)
      .filter(file => /\.ya?ml$/.test(file))
      .toSorted()
  } catch {
    problems.push(`folder ${folder} cannot be read`)
    return []
  }
}

function readRecipe(file: string, problems: string[]): Recipe | null {
  const at = path.basename(file)
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    problems.push(`${at}: ${error instanceof Error ? error.message : 'cannot be read'}`)
    return null
  }
  const read = recipe.safeParse(content)
  if (!read.success) {
    problems.push(...read.error.issues.map(issue => `${at}: ${issue.path.join('.')} ${issue.message}`))
    return null
  }
  const ids = read.data.steps.map(({ id }) => id)
  if (new Set(ids).size < ids.length) problems.push(`${at}: two steps have one id`)
  for (const { id, provider, options } of read.data.steps) {
    const checked = providers[provider]?.options.safeParse(options)
    for (const issue of checked?.error?.issues ?? []) problems.push(`${at}: step ${id}: with.${issue.path.join('.')} ${issue.message}`)
  }
  // What is kept is what JSON can carry.
  return JSON.parse(JSON.stringify(read.data)) as Recipe
}

const insertRecipe = statement<never>(
  'recipe_insert',
  'insert into enrichment_recipes (name, version, definition) values ($1, $2, $3) on conflict do nothing',
)
const selectRecipe = statement<{ definition: Recipe }>(
  'recipe_by_version',
  'select definition from enrichment_recipes where name = $1 and version = $2',
)

/** Stores the recipes that are new. Throws ConfigError for one that is not what its version was. */
export async function keepRecipes(services: Services): Promise<void> {
  const problems: string[] = []
  for (const current of recipesOf(services).values()) {
    await services.database.query(insertRecipe, [current.name, current.version, JSON.stringify(current)])
    const [kept] = await services.database.query(selectRecipe, [current.name, current.version])
    if (!isDeepStrictEqual(kept?.definition, current))
      problems.push(`Recipe ${current.name} is not what its version ${current.version} was: give it a higher version`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
}

/** A recipe as it was when a job was queued with it. */
export async function keptRecipe(services: Services, wanted: string, version: number): Promise<Recipe> {
  const current = recipesOf(services).get(wanted)
  if (current?.version === version) return current
  const [kept] = await services.database.query(selectRecipe, [wanted, version])
  if (!kept) throw new AppError('NOT_FOUND', `The recipe ${wanted} has no version ${version}`)
  return kept.definition
}
