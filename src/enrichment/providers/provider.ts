// The port to whoever knows something about a target: what a step is given, and what it may answer.

import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Target } from './target.ts'

export const verifications = ['verified', 'probable', 'catch_all', 'unverified'] as const
export type Verification = (typeof verifications)[number]

/** What is known of a target while its job runs: fields in camelCase, `custom.<key>` and what steps found out by the way. */
export type Facts = Readonly<Record<string, unknown>>

/** A value that a provider has for a field. */
export interface Finding {
  field: string
  value: unknown
  /** 0 to 1. */
  confidence: number
  verification: Verification
  /** Where it can be looked up. */
  sourceUrl?: string | null
  /** The words it was taken from. */
  evidence?: string | null
}

/** Text that a provider read, for those after it. It came from outside. */
export interface Reading {
  source: string
  text: string
}

export interface StepInput<Options> {
  target: Target
  /** The contact that the target is, if there is one. */
  contactId: string | null
  facts: Facts
  /** The fields that nobody has answered well enough yet. */
  wanted: ReadonlySet<string>
  options: Options
  readings: readonly Reading[]
  context: Context
  /** Aborts when the step's time is up, or the job is no longer ours. */
  signal: AbortSignal
}

/** What came of a step. Throwing is a failed step, too. */
export interface StepResult {
  findings: Finding[]
  /** What else it found out, shown with the step. Values that are texts or booleans become facts, unless they are known already. */
  detail?: Record<string, unknown>
  readings?: Reading[]
  /** Why there was nothing to do: a word such as `free_mail_domain`, and what the word leaves open. */
  skipped?: string
  /** What went wrong although there may be findings. */
  error?: string
}

export interface Provider<Options = unknown> {
  /** What `with` in a recipe may say. */
  options: z.ZodType<Options>
  /** The setting without which it cannot work in this installation; null when it can. */
  missing?(options: Options, services: Context['services']): string | null
  /** Whether the operator pays for it. Default: it costs nobody anything. */
  isPaid?(options: Options): boolean
  run(input: StepInput<Options>): Promise<StepResult>
}

export const nothing = (detail?: Record<string, unknown>): StepResult => ({ findings: [], ...(detail && { detail }) })
/** Why a step of the provider is skipped in this installation; null when it is not. */
export const notConfigured = (provider: Provider | undefined, options: unknown, services: Context['services']): string | null => {
  const setting = provider?.missing?.(provider.options.parse(options), services) ?? null
  return setting === null ? null : `not_configured: ${setting} is not set`
}
export const skipped = (reason: string): StepResult => ({ findings: [], skipped: reason })

/** A fact that is a text with something in it. */
export function textOf(facts: Facts, field: string): string | null {
  const value = facts[field]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
