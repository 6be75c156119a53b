// Recipes: versioned YAML files that say which providers to query for which fields. Validated at start. A version never changes.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import { ConfigError } from '../../config/environment.ts'
import type { Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { fieldNamed } from '../../kernel/input/case.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { amountCeiling, isAmount } from '../../kernel/money.ts'
import { isProvider, providers } from '../providers/all.ts'
import { isFieldName } from '../targets/field.ts'
import { storeRecipes } from './recipe.sql.ts'

const name = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
const field = z.string().transform(fieldNamed).refine(isFieldName, 'is no name of a field')
const share = z.number().min(0).max(1)
const seconds = (max: number) => z.number().int().min(1).max(max)

const step = z
  .strictObject({
    id: name,
    provider: z.string().refine(isProvider, 'is none of the providers'),
    /** The fields for which the step may have findings. */
    fields: z.array(field).min(1),
    /** Facts that must be known; otherwise the step is skipped. */
    needs: z.array(field).default([]),
    /** Conditions on facts: true for known, false for unknown, or an exact text. If one is not met, the step is skipped. */
    if: z.record(field, z.union([z.boolean(), z.string()])).default({}),
    /** `missing` requests only fields without a value in the record. */
    when: z.enum(['any', 'missing']).default('any'),
    /** A finding of at least this confidence ends the search for its field. */
    stop_on: share.default(0.8),
    timeout_seconds: seconds(300).default(15),
    /** The price in credits, charged when the step finds something. */
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
    /** Kinds of targets that it accepts. Absent: any. */
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

/** The recipe for a kind of target when the request names none. */
export const defaultRecipe = (kind: string): string => (kind === 'contact' || kind === 'company' ? kind : 'generic')

const builtIn = fileURLToPath(new URL('built-in', import.meta.url))
// Keyed by the settings, because a dry run has a copy of the services but the same settings, and so reads no files.
const loaded = new WeakMap<Services['config'], ReadonlyMap<string, Recipe>>()

/** The recipes by name. The operator's recipes replace built-in ones with the same name. Throws ConfigError with all problems. */
export function recipesOf({ config }: Services): ReadonlyMap<string, Recipe> {
  let recipes = loaded.get(config)
  if (!recipes) loaded.set(config, (recipes = readRecipes(config.ENRICHMENT_RECIPES)))
  return recipes
}

/** Reads the built-in recipes, and those in another folder if given. */
export function readRecipes(folder?: string): ReadonlyMap<string, Recipe> {
  const problems: string[] = []
  const recipes = new Map<string, Recipe>()
  for (const from of folder === undefined ? [builtIn] : [builtIn, folder]) {
    const names = new Set<string>()
    for (const file of filesIn(from, problems)) {
      const read = readRecipe(path.join(from, file), problems)
      if (!read) continue
      if (names.has(read.name)) problems.push(`${file}: the name ${read.name} is taken by another file`)
      names.add(read.name)
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
    problems.push(`folder ${folder} (ENRICHMENT_RECIPES) cannot be read`)
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
  // The form in which the database stores it, without undefined members.
  return JSON.parse(JSON.stringify(read.data)) as Recipe
}

/** Stores new recipes and versions. Throws ConfigError when a file differs from its stored version. */
export async function keepRecipes(services: Services): Promise<void> {
  const recipes = recipesOf(services)
  const rows = [...recipes.values()].map(definition => ({ name: definition.name, version: definition.version, definition }))
  const stored = await services.database.query(storeRecipes, [storedJson(rows)])
  const problems = stored.flatMap(({ name, definition }) => {
    const current = recipes.get(name)
    if (isDeepStrictEqual(definition, current)) return []
    return [`Recipe ${name} is not what its version ${current?.version} was: give it a higher version`]
  })
  if (problems.length > 0) throw new ConfigError(problems)
}

/** The recipe in the version with which a job was queued. */
export async function recipeOfVersion(services: Services, wanted: string, version: number): Promise<Recipe> {
  const current = recipesOf(services).get(wanted)
  if (current?.version === version) return current
  const { prisma } = services.database
  const stored = await prisma.enrichmentRecipe.findUnique({ where: { name_version: { name: wanted, version } } })
  if (!stored) throw new AppError('NOT_FOUND', `The recipe ${wanted} has no version ${version}`)
  // `as`: recipes are validated before they are stored.
  return stored.definition as Recipe
}
