// Where the programs of the lab are: Debian's places, the PATH, or for PostgreSQL the one that npm brought.

import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findPrograms, type Programs } from '../../src/database/embedded/program.ts'
import type { Tool } from './row.ts'

const debian = '/usr/lib/postgresql'

/** The newest PostgreSQL of the system with all its tools, else the embedded one. */
export async function postgresPrograms(): Promise<Programs> {
  const bin = systemPostgres()
  if (!bin) return await findPrograms()
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: bin.split('/').at(-2) ?? '' }
}

export const isInstalled = (tool: Tool): boolean => pathOf(tool) !== undefined

/** The full path of a program; undefined where it is not installed. */
export function pathOf(tool: Tool | 'psql' | 'pg_restore'): string | undefined {
  const bin = systemPostgres()
  const folders = [...(bin ? [bin] : []), ...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin', '/usr/local/bin']
  return folders.map(folder => join(folder, tool)).find(isExecutable)
}

function systemPostgres(): string | undefined {
  if (!existsSync(debian)) return undefined
  const majors = readdirSync(debian).sort((a, b) => Number(b) - Number(a))
  return majors.map(major => join(debian, major, 'bin')).find(bin => ['initdb', 'postgres'].every(name => isExecutable(join(bin, name))))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
