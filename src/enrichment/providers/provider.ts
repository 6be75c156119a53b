// The port to data providers: the input of a step and its result.

import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import type { Target } from '../targets/target.ts'

export const verifications = ['verified', 'probable', 'catch_all', 'unverified'] as const
export type Verification = (typeof verifications)[number]

/** What is known about a target while its job runs: fields in camelCase, `custom.<key>`, and the details of earlier steps. */
export type Facts = Readonly<Record<string, unknown>>

/** A value that a provider has for a field. */
export interface Finding {
  field: string
  value: unknown
  /** 0 to 1. */
  confidence: number
  verification: Verification
  /** A page that shows the value. */
  sourceUrl?: string | null
  /** The text that the value was taken from. */
  evidence?: string | null
}

/** Text that a provider read, for the steps after it. Untrusted. */
export interface Reading {
  source: string
  text: string
}

export interface StepInput<Options> {
  target: Target
  /** The contact that the target is, if there is one. */
  contactId: string | null
  facts: Facts
  /** The fields without a finding that is sure enough. */
  wanted: ReadonlySet<string>
  options: Options
  readings: readonly Reading[]
  context: Context
  /** Aborts at the step's timeout, or when the worker lost the job. */
  signal: AbortSignal
}

/** The result of a step. A provider that throws fails the step as well. */
export interface StepResult {
  findings: Finding[]
  /** Further facts, shown with the step. Texts and booleans become facts for later steps unless these are known. */
  detail?: Record<string, unknown>
  readings?: Reading[]
  /** Why the step was skipped: a code such as `free_mail_domain`, optionally with an explanation. */
  skipped?: string
  /** What failed. There may be findings nevertheless. */
  error?: string
}

export interface Provider<Options = unknown> {
  /** The schema of `with` in a recipe. */
  options: z.ZodType<Options>
  /** The name of a missing setting without which the step cannot run; null when it can. */
  missing?(options: Options, services: Context['services']): string | null
  /** Whether the operator pays for the step. Default: no. */
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

/** A fact that is a non-empty text, trimmed; null otherwise. */
export function textOf(facts: Facts, field: string): string | null {
  const value = facts[field]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
