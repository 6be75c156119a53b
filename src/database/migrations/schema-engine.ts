// Prisma's schema engine as WASM over our own driver: it needs no binary, and uses the same migrations table as the Prisma CLI.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import type pg from 'pg'
import { sendScript } from './script.ts'

export type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'

/** Functions that the engine needs beside the database. */
export interface EngineOptions {
  /** Sends a migration script. Default: as one message, which is one implicit transaction. */
  send?: (script: string) => Promise<unknown>
  /** Creates an empty database in which the engine replays the migrations; `drop` is called afterwards. */
  scratch?: () => Promise<{ pool: pg.Pool; drop: () => Promise<void> }>
}

/** An engine on this pool's database. Its errors have several lines: see `reasonOf`. */
export async function openEngine(pool: pg.Pool, options: EngineOptions = {}): Promise<SchemaEngine> {
  const { SchemaEngine: engine } = await bindings()
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => adapterOn(pool, options.send),
    async connectToShadowDb() {
      if (!options.scratch) throw new Error('this command has no scratch database')
      const { pool: scratchPool, drop } = await options.scratch()
      const adapter = await adapterOn(scratchPool)
      return Object.assign(adapter, { dispose: drop })
    },
  }
  return engine.new({ datamodels: undefined }, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}

/** The line of an engine's error that has the reason; the others are places in the engine's source. */
export function reasonOf(error: unknown): string {
  const text = panic ?? (error instanceof Error ? error.message : String(error))
  const lines = text.split('\n').filter(line => line.trim() && !/^\s*(\d+: |at |with )|^external connector error/.test(line))
  return (lines.find(line => line.includes('ERROR: ')) ?? lines[0] ?? text).replace(/^Error querying the database: (ERROR: )?/, '').trim()
}

// adapter-pg is made for the Prisma client; three of its methods are replaced for the schema engine.
async function adapterOn(pool: pg.Pool, send: (script: string) => Promise<unknown> = script => sendScript(pool, script)) {
  const adapter = await new PrismaPg(pool).connect()
  const queryRaw = adapter.queryRaw.bind(adapter)
  return Object.assign(adapter, {
    // The original splits scripts at ";", also inside function bodies. Sent whole, a script is also one transaction.
    executeScript: async (script: string) => {
      await send(script).catch((error: unknown) => failAs(adapter, error))
    },
    // The original refuses PostgreSQL's internal type "char", which the engine reads from the catalogues when it compares schemas.
    queryRaw: async (query: SqlQuery) => {
      const result = await queryRaw({ ...query, sql: withoutInternalChar(query.sql) })
      result.columnNames.forEach((name, index) => {
        if (internalCharColumns.has(name)) result.columnTypes[index] = ColumnTypeEnum.Character
      })
      return result
    },
  }) satisfies SqlDriverAdapter
}

const internalCharColumns = new Set(['constraint_type', 'confdeltype', 'confupdtype'])

const withoutInternalChar = (sql: string) =>
  sql
    .replace('constr.contype AS', 'constr.contype::char(1) AS')
    .replace(/\bcon\.(confdeltype|confupdtype),/g, (_match, column: string) => `con.${column}::char(1) AS ${column},`)

// The adapter's error translation is a protected method; without it the engine would report "unknown".
const failAs = (adapter: SqlDriverAdapter, error: unknown) => (adapter as unknown as { onError(error: unknown): never }).onError(error)

// The members of WebAssembly that are used: its types belong to the DOM library, which this project does not load.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: Record<string, object>) => { exports: { __wbindgen_start(): void } }
}

type Glue = typeof import('@prisma/schema-engine-wasm') & { __wbg_set_wasm(exports: object): void }

let loaded: Promise<Glue> | undefined
let panic: string | undefined

// Loaded once per process, and only if there is something to migrate: the module takes 20 ms and 20 MB.
function bindings(): Promise<Glue> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Glue> {
  // The engine reports a panic through this global; without it the report itself would fail.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => (panic = message) } })
  const glue: Glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const path = new URL('schema_engine_bg.wasm', pathToFileURL(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {
    './schema_engine_bg.js': { ...glue, ...unrefTimers(glue) },
  })
  glue.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  return glue
}

// The engine never clears the 10 s timer of its lock, which would keep the process alive.
const unrefTimers = (glue: object) =>
  Object.fromEntries(
    Object.keys(glue)
      .filter(name => name.startsWith('__wbg_setTimeout_'))
      .map(name => [name, (work: () => void, ms: number) => setTimeout(work, ms).unref()]),
  )
