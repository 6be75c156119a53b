// The enabled mappings, custom ones before presets, and the requests that are passed to them.

import type { Request } from 'express'
import type { GatewaySettings } from '../../config/gateway/file.ts'
import type { Payload } from '../body.ts'
import { type CompiledMapping, compileMapping, type MappedRequest, unsignedPathsIn } from './mapping.ts'
import { presetMapping } from './presets.ts'
import { moduleFile } from './transforms.ts'

/** Compiles the configured mappings and presets. An invalid one is disabled with a warning. */
export function readyMappings(
  { mappings, presets, presetSecrets, transformsDir }: GatewaySettings['hooks'],
  warn: (sentence: string) => void,
): CompiledMapping[] {
  const all = [...mappings, ...presets.map(name => presetMapping(name, name === 'gmail' ? undefined : presetSecrets[name]))]
  return all.flatMap(mapping => {
    try {
      if (mapping.transform && transformsDir !== null) moduleFile(transformsDir, mapping.transform.module)
      const [unsigned] = unsignedPathsIn(mapping)
      if (unsigned !== undefined)
        warn(
          `the mapping ${mapping.id}: its idempotencyKey reads ${unsigned}, which its senders do not sign; what they sign counts instead`,
        )
      return [compileMapping(mapping)]
    } catch (error) {
      warn(`the mapping ${mapping.id} is disabled: ${error instanceof Error ? error.message : String(error)}`)
      return []
    }
  })
}

// Headers and parameters with these names may contain credentials, and are not passed to mappings.
const hidden = /^(authorization|proxy-authorization|cookie|set-cookie)$|token|secret|api[_-]?key|password|signature/

/** The request without its credentials. */
export function requestForMapping({
  req,
  base,
  name,
  query,
  payload,
  now,
}: {
  req: Pick<Request, 'headers'>
  base: string
  name: string
  query: URLSearchParams | null
  payload: Payload
  now: Date
}): MappedRequest {
  const shown = new URLSearchParams([...(query ?? [])].filter(([field]) => !hidden.test(field.toLowerCase())))
  const search = shown.toString()
  return {
    path: name,
    url: `http://localhost${base}/${name}${search && `?${search}`}`,
    headers: Object.fromEntries(
      Object.entries(req.headers).flatMap(([field, value]) =>
        value === undefined || hidden.test(field) ? [] : [[field, Array.isArray(value) ? value.join(', ') : value]],
      ),
    ),
    query: Object.fromEntries(shown),
    payload,
    now: now.toISOString(),
  }
}
