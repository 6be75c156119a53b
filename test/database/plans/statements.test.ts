// Every statement with a name is prepared on the migrated schema: it is valid, and returns the columns that its rows are built from.

import { globSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { registeredStatements, type Statement, variants } from '../../../src/database/statement.ts'
import { rows, uuid } from '../../../src/database/table.ts'
import { openForStatements } from '../../support/database/statements.ts'
import { keepOpen } from '../../support/open.ts'

const opened = await keepOpen(openForStatements())
const client = opened.client

interface Wire {
  parse(message: object): void
  describe(message: object): void
  sync(): void
}
interface Field {
  name: string
  dataTypeID: number
}

// The columns that the statement returns, as the server describes them without executing it.
function describedBy({ text }: Statement<unknown>): Promise<Field[]> {
  return new Promise((done, failed) => {
    let fields: Field[] = []
    // A Submittable of pg, whose types omit the message handlers.
    client.query({
      submit(connection: Wire) {
        connection.parse({ name: '', text, types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: (message: { fields: Field[] }) => (fields = message.fields),
      handleError: failed,
      handleReadyForQuery: () => done(fields),
    } as unknown as pg.QueryConfig)
  })
}

describe('statements', () => {
  test('are valid and return the declared columns', async () => {
    const { rows } = await client.query<{ oid: number; name: string }>('select oid::int, format_type(oid, null) as name from pg_type')
    const nameOf = new Map(rows.map(({ oid, name }) => [oid, name === 'timestamp with time zone' ? 'timestamptz' : name]))
    // Tests that share the process register statements of their own.
    const statements = registeredStatements().filter(({ name }) => !name.startsWith('test_'))
    const wrong: string[] = []
    for (const statement of statements) {
      const returned = await describedBy(statement).catch((error: Error) => error)
      if (returned instanceof Error) {
        wrong.push(`${statement.name}: ${returned.message}`)
        continue
      }
      const columns = returned.map(({ name, dataTypeID }) => `${name} ${nameOf.get(dataTypeID)}`).join(', ')
      const declared = (statement.rows?.described ?? []).map(({ name, type }) => `${name} ${type}`).join(', ')
      if (columns !== declared) wrong.push(`${statement.name} returns (${columns}), not (${declared})`)
    }

    expect(wrong).toEqual([])
    expect(statements.length).toBeGreaterThan(150)
  })

  test('stand in *.sql.ts, where this test finds them', () => {
    const elsewhere = globSync('{src,prisma}/**/*.ts').filter(
      file => !file.endsWith('.sql.ts') && /(?<!\* .*)\b(?:statement|shortRead)\(\s*'[^']/.test(readFileSync(file, 'utf8')),
    )

    expect(elsewhere).toEqual([])
  })
})

test('long names of variants differ within the characters that PostgreSQL keeps', () => {
  const make = () => ({ text: 'select id from contacts', rows: rows({ id: uuid }) })
  const [first, second] = [variants(2), variants(2)]
  const long = 'contacts_created_at_desc_8vn08v_51_desc_from_live_lifecycleStage_ownerUserId'

  const names = [first(long, make), first(`${long}In`, make), second(long, make)].map(({ name }) => name.slice(0, 63))

  expect(new Set(names)).toHaveProperty('size', 3)
})
