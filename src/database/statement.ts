// Prepared statements: SQL with a name and the columns that it returns.

import type { Rows } from './selection.ts'

/** A prepared statement, planned once per connection. Without a name it is planned at each execution. */
export interface Statement<Row> {
  readonly name: string
  readonly text: string
  /** The columns of the result, and how a row is built from them. Absent: the statement returns no columns. */
  readonly rows?: Rows<Row> | undefined
  /** Whether it may be sent on a shared connection. See `shortRead`. */
  readonly isShort?: boolean
  /** Whether its rows are for a caller who can ask for fewer. See `pageRead`. */
  readonly isPage?: boolean
}

// PostgreSQL cuts longer names off, so that two of them could be one (NAMEDATALEN).
const maxNameLength = 63

// Every named statement of the program. A test prepares each on the migrated schema.
const registered = new Map<string, Statement<unknown>>()
export const registeredStatements = (): readonly Statement<unknown>[] => [...registered.values()]

/**
 * A statement that returns `rows`; without them it returns nothing:
 *
 * ```ts
 * const lockAgent = statement('agent_lock', `select ${agents.all.sql} from voice_agents where id = $1 for update`, agents.all)
 * const countJobs = statement('jobs_total', 'select count(*) as total from enrichment_jobs where org_id = $1', rows({ total: bigint }))
 * const insertAgent = statement('agent_insert', `insert into voice_agents (${added.columns}) values (${added.parameters()})`)
 * ```
 */
export function statement(name: string, text: string): Statement<never>
export function statement<Row>(name: string, text: string, rows: Rows<Row>): Statement<Row>
export function statement<Row>(name: string, text: string, rows?: Rows<Row>): Statement<Row> {
  return register({ name, text, rows })
}

/**
 * A statement that is quick for all values: it reads a bounded number of rows by an index and takes no locks. Outside transactions it is
 * sent on a shared connection (connections/shared-connections.ts).
 */
export function shortRead<Row>(name: string, text: string, rows: Rows<Row>): Statement<Row> {
  return register({ name, text, rows, isShort: true })
}

/**
 * A statement that reads rows which a caller asks for, and which may be long. It fails where they have too much text for the memory of the
 * process (connections/row-query.ts), as do short reads and statements without a name. Others, such as statements of workers, read everything: they
 * would fail again and again.
 */
export function pageRead<Row>(name: string, text: string, rows: Rows<Row>): Statement<Row> {
  return register({ name, text, rows, isPage: true })
}

function register<Row>(statement: Statement<Row>): Statement<Row> {
  const { name } = statement
  if (name.length > maxNameLength) throw new Error(`The name of a statement is longer than PostgreSQL keeps: ${name}`)
  if (name && registered.has(name)) throw new Error(`There are two statements named ${name}`)
  if (name) registered.set(name, statement)
  return statement
}

let variantsMade = 0

/**
 * Statements of one kind whose text depends on the request: sort order, page size, selection. A named statement stays prepared on every
 * connection, so only the first `max` have a name; further ones are planned at each execution. Each name must belong to one text. The prepared
 * statement has the beginning of the name, and a number.
 */
export function variants(max: number): <Row>(name: string, make: () => { text: string; rows: Rows<Row> }) => Statement<Row> {
  const known = new Map<string, Statement<never>>()
  return <Row>(name: string, make: () => { text: string; rows: Rows<Row> }) => {
    const variant = known.get(name)
    // The name also determines the row type.
    if (variant) return variant as Statement<unknown> as Statement<Row>
    const { text, rows } = make()
    if (known.size >= max) return { name: '', text, rows }
    const created = { name: `${name.slice(0, maxNameLength - 6)}_${variantsMade++}`, text, rows, isShort: true }
    known.set(name, created as Statement<unknown> as Statement<never>)
    return created
  }
}

/**
 * Hides the parameter's value from the planner. In a table that grows and shrinks quickly, PostgreSQL may estimate that a value is rare,
 * and then plan each execution, which takes longer than the statement.
 */
export const unseen = (parameter: string): string => `(select ${parameter})`
