// Tests of hooks without effect: the actions that the configured mappings would make of a payload.

import type { GatewaySettings } from '../../config/gateway/file.ts'
import type { HookMappings, HookTest, SamplePayload } from '../../gateway/configuration/hook-mappings.ts'
import { AppError } from '../../kernel/errors.ts'
import { asObject } from '../body.ts'
import { agentPayload, wakePayload } from '../payloads.ts'
import { readyMappings, requestForMapping } from './mappings.ts'
import { createTransforms } from './transforms.ts'

export function createHookMappings(hooks: GatewaySettings['hooks'], now: () => Date): HookMappings {
  // Warnings are dropped: the process that serves the hooks has already logged them.
  const compiled = readyMappings(hooks, () => {})

  const testSample = async (sample: SamplePayload): Promise<HookTest> => {
    const { name, query } = sample
    // A copy, because templates and transforms may store or change the payload.
    const payload = structuredClone(sample.payload)
    if (name === 'wake') return direct(200, 'wake', { ...wakePayload(asObject(payload)) })
    if (name === 'agent') return direct(202, 'agent', { ...agentPayload(asObject(payload)) })
    const headers = Object.fromEntries(Object.entries(sample.headers).map(([field, value]) => [field.toLowerCase(), value]))
    const named = compiled.filter(one => one.mayOwn(name))
    const owner = named.find(one => one.owns({ headers, payload }))
    if (!owner)
      return refusal(404, named.length > 0 ? 'No mapping takes this payload with these headers' : `There is no hook named ${name}`)
    const request = requestForMapping({ req: { headers }, base: hooks.path, name, query: new URLSearchParams(query), payload, now: now() })
    const transforms = hooks.transformsDir === null ? null : createTransforms(hooks.transformsDir)
    try {
      const actions = await owner.actions(request, transforms)
      return {
        status: actions.length === 0 ? 204 : actions.some(({ kind }) => kind === 'agent') ? 202 : 200,
        mapping: owner.mapping.id,
        error: null,
        actions: actions.map(({ kind, payload, key }) => ({ kind, payload: { ...payload }, idempotencyKey: key })),
      }
    } catch (error) {
      if (error instanceof AppError) return { ...refusal(400, error.message), mapping: owner.mapping.id }
      throw error
    } finally {
      await transforms?.close()
    }
  }

  return {
    mappings: compiled.map(({ mapping }) => mapping),
    async test(sample) {
      try {
        return await testSample(sample)
      } catch (error) {
        if (error instanceof AppError) return refusal(400, error.message)
        throw error
      }
    },
  }
}

const refusal = (status: number, error: string): HookTest => ({ status, mapping: null, error, actions: [] })
const direct = (status: number, kind: 'wake' | 'agent', payload: Readonly<Record<string, unknown>>): HookTest => ({
  status,
  mapping: null,
  error: null,
  actions: [{ kind, payload, idempotencyKey: null }],
})
