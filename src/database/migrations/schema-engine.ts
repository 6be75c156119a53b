// Prisma's schema engine, run as WASM over our own driver: no binary to download, the same migrations table as the Prisma CLI.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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
import { sendScript } from './migration-script.ts'

export type { DiffTarget, MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'

/** What the engine may need beside its own statements. */
export interface EngineOptions {
  /** Sends a script as the engine wants it applied. Default: as it is, in one implicit transaction. */
  send?: (script: string) => Promise<unknown>
  /** An empty database for replaying the migrations in; `drop` is called when the engine is done with it. */
  scratch?: () => Promise<{ pool: pg.Pool; drop: () => Promise<void> }>
}

/** An engine on this pool's database. Its errors are of PostgreSQL or Prisma, several lines long: see `reasonOf`. */
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

/** The one line of an engine's error that says what went wrong; the others are places in the engine's source. */
export function reasonOf(error: unknown): string {
  const text = panic ?? (error instanceof Error ? error.message : String(error))
  const lines = text.split('\n').filter(line => line.trim() && !/^\s*(\d+: |at |with )|^external connector error/.test(line))
  return (lines.find(line => line.includes('ERROR: ')) ?? lines[0] ?? text).replace(/^Error querying the database: (ERROR: )?/, '').trim()
}

// adapter-pg was made for the client; three of its habits do not suit the schema engine.
async function adapterOn(pool: pg.Pool, send: (script: string) => Promise<unknown> = script => sendScript(pool, script)) {
  const adapter = await new PrismaPg(pool).connect()
  const queryRaw = adapter.queryRaw.bind(adapter)
  return Object.assign(adapter, {
    // It splits scripts on ";", which cuts every function body. Whole, a script is also one transaction: it leaves nothing behind.
    executeScript: async (script: string) => {
      await send(script).catch((error: unknown) => failAs(adapter, error))
    },
    // It refuses PostgreSQL's internal type "char", which the engine reads from the catalogues when it compares schemas.
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

// The adapter's own translation of errors is protected; without it the engine would only say "unknown".
const failAs = (adapter: SqlDriverAdapter, error: unknown) => (adapter as unknown as { onError(error: unknown): never }).onError(error)

// What is used of WebAssembly; its types come with the browser's, which this project does not load.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: Record<string, object>) => { exports: { __wbindgen_start(): void } }
}

type Glue = typeof import('@prisma/schema-engine-wasm') & { __wbg_set_wasm(exports: object): void }

let loaded: Promise<Glue> | undefined
let panic: string | undefined

// Once per process, and only when there is something to migrate: the module costs 20 ms and 20 MB.
function bindings(): Promise<Glue> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Glue> {
  // The engine reports a panic through this global; without it the report itself would fail.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => (panic = message) } })
  const glue: Glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const path = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm')
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {
    './schema_engine_bg.js': { ...glue, ...unreferencedTimers(glue) },
  })
  glue.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  return glue
}

// The engine gives its lock 10 s and never takes the timer back: a process that is done would stay for it.
const unreferencedTimers = (glue: object) =>
  Object.fromEntries(
    Object.keys(glue)
      .filter(name => name.startsWith('__wbg_setTimeout_'))
      .map(name => [name, (work: () => void, ms: number) => setTimeout(work, ms).unref()]),
  )
