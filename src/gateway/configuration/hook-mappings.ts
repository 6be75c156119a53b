// The port to the mappings of hooks, which src/hooks implements: the configuration, and the actions that a mapping makes from a payload.

import type { Mapping } from '../../config/gateway/mappings.ts'

declare module '../../kernel/context.ts' {
  interface Services {
    hookMappings: HookMappings
  }
}

export interface SamplePayload {
  /** The hook's name: the part of its path after `/hooks/`. */
  name: string
  /** An object, or a list for mapped hooks. */
  payload: Readonly<Record<string, unknown>> | readonly unknown[]
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
}

/** The result of a test request to a hook. */
export interface HookTest {
  /** The status of the answer. */
  status: number
  /** The mapping that would handle the request; null for `wake`, `agent` and requests that no mapping matches. */
  mapping: string | null
  /** Why the request would be refused; null when it would be accepted. */
  error: string | null
  /** The wakes and runs that the request would create, with their payloads. */
  actions: readonly { kind: 'wake' | 'agent'; payload: Readonly<Record<string, unknown>>; idempotencyKey: string | null }[]
}

export interface HookMappings {
  /** The enabled mappings in the order of evaluation, presets last. */
  mappings: readonly Mapping[]
  test(sample: SamplePayload): Promise<HookTest>
}
