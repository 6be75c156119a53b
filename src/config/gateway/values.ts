// Values of the gateway's configuration file that come from environment variables and other files.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export type Environment = Record<string, string | undefined>

interface Reading {
  environment: Environment
  folder: string
  problems: string[]
  path: readonly string[]
}

const variable = /\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/**
 * A copy in which `${NAME}` is replaced by the variable's value, {file: "path"} by the file's text, and `$${NAME}` by `${NAME}`. A missing
 * variable or file is reported as a problem.
 */
export function withValues(value: unknown, reading: Reading): unknown {
  const { environment, folder, problems, path } = reading
  if (typeof value === 'string')
    return value.replace(variable, (whole, escaped: string, name: string) => {
      if (escaped) return whole.slice(1)
      const found = environment[name]
      if (found === undefined || found === '') problems.push(`${path.join('.')}: the environment variable ${name} is not set`)
      return found ?? ''
    })
  if (Array.isArray(value)) return value.map((item, index) => withValues(item, { ...reading, path: [...path, String(index)] }))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === 'file' && typeof first[1] === 'string')
    try {
      return readFileSync(resolve(folder, first[1]), 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      problems.push(`${path.join('.')}: ${error instanceof Error ? error.message : 'the file cannot be read'}`)
      return ''
    }
  return Object.fromEntries(entries.map(([name, item]) => [name, withValues(item, { ...reading, path: [...path, name] })]))
}
