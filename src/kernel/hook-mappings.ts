// The port to the mappings of hooks, which src/hooks implements: what is configured, and what a mapping makes of a payload.

import type { Mapping } from '../config/gateway/mappings.ts'

export interface SamplePayload {
  /** The hook's name: the part of its address behind `/hooks/`. */
  name: string
  payload: Readonly<Record<string, unknown>>
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
}

/** What a hook would do with a request. */
export interface HookTest {
  /** The status it would be answered with. */
  status: number
  /** The mapping that would take it; null for `wake`, `agent` and requests that none takes. */
  mapping: string | null
  /** Why it would be refused; null when it would not. */
  error: string | null
  /** The wakes and runs that it would make, with their payloads. */
  actions: readonly { kind: 'wake' | 'agent'; payload: Readonly<Record<string, unknown>>; idempotencyKey: string | null }[]
}

export interface HookMappings {
  /** The enabled mappings in their order, presets last. */
  mappings: readonly Mapping[]
  test(sample: SamplePayload): Promise<HookTest>
}
