// The port to data providers: the input of a step and its result.

import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import type { Target } from '../targets/target.ts'

export const verifications = ['verified', 'probable', 'catch_all', 'unverified'] as const
export type Verification = (typeof verifications)[number]

/** The known facts about a target while its job runs: fields in camelCase, `custom.<key>`, and the details of earlier steps. */
export type Facts = Readonly<Record<string, unknown>>

/** A value that a provider found for a field. */
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

/** Text that a provider has read, for later steps. Untrusted. */
export interface Reading {
  source: string
  text: string
}

export interface StepInput<Options> {
  target: Target
  /** The id of the target's contact, if there is one. */
  contactId: string | null
  facts: Facts
  /** The fields that still lack a finding with sufficient confidence. */
  wanted: ReadonlySet<string>
  options: Options
  readings: readonly Reading[]
  context: Context
  /** Aborted at the step's timeout, or when the worker has lost the job. */
  signal: AbortSignal
}

/** The result of a step. A step also fails when its provider throws. */
export interface StepResult {
  findings: Finding[]
  /** Facts shown with the step. Texts and booleans become facts for later steps, unless they are known already. */
  detail?: Record<string, unknown>
  readings?: Reading[]
  /** Why the step was skipped: a code such as `free_mail_domain`, optionally with an explanation. */
  skipped?: string
  /** The error message of a failed step, which may have findings nevertheless. */
  error?: string
}

export interface Provider<Options = unknown> {
  /** The schema of `with` in a recipe. */
  options: z.ZodType<Options>
  /** The name of a missing setting that the step needs; null when it can run. */
  missing?(options: Options, services: Context['services']): string | null
  /** Whether it reaches nothing outside this installation, and is quickly done again. Default: no. */
  isLocal?: true
  /** Whether the operator pays for the step. Default: no. */
  isPaid?(options: Options): boolean
  run(input: StepInput<Options>): Promise<StepResult>
}

export const nothing = (detail?: Record<string, unknown>): StepResult => ({ findings: [], ...(detail && { detail }) })

/** Why a step with this provider is skipped in this installation; null when it is not skipped. */
export const notConfigured = (provider: Provider | undefined, options: unknown, services: Context['services']): string | null => {
  const setting = provider?.missing?.(provider.options.parse(options), services) ?? null
  return setting === null ? null : `not_configured: ${setting} is not set`
}
/** Why a step is skipped in an organization that may not use the operator's paid accounts. */
export const notAllowed = 'organization_not_allowed'
/** Whether a step was skipped for what the operator decides: what it could have found is not known. */
export const isUnavailable = (reason: string): boolean => reason.startsWith('not_configured: ') || reason === notAllowed
export const skip = (reason: string): StepResult => ({ findings: [], skipped: reason })

/** A non-empty text fact, trimmed; otherwise null. */
export function textOf(facts: Facts, field: string): string | null {
  const value = facts[field]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
