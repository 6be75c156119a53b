// Generated files are committed and current.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { breakingChanges } from '../../src/graphql/schema/compatibility.ts'

const root = path.resolve(import.meta.dirname, '../..')

test('schema, types of the stored documents, OpenAPI and .env.example are up to date', async () => {
  const checked = await promisify(execFile)(process.execPath, ['codegen.ts', '--check'], { cwd: root }).catch(
    (failed: { stderr: string }) => failed,
  )

  expect(checked.stderr).toBe('')
  // The schema is made, and every document checked against it: seconds, on a busy machine half a minute.
}, 60_000)

test('codegen names what breaks clients of the schema before, deprecated or not, and nothing that is only added', () => {
  const before = buildSchema(`
    enum Stage { LEAD CUSTOMER }
    type Contact { id: ID! phone: String fax: String @deprecated(reason: "Nobody has one.") stage: Stage! }
    type Query { contact(id: ID!): Contact }`)
  const added = buildSchema(`
    enum Stage { LEAD CUSTOMER OTHER }
    type Contact { id: ID! phone: String mobile: String fax: String @deprecated(reason: "Nobody has one.") stage: Stage! }
    type Query { contact(id: ID!, even: Boolean): Contact contacts: [Contact!]! }`)
  const broken = buildSchema(`
    enum Stage { LEAD }
    type Contact { id: ID! phone: Int stage: Stage }
    type Query { contact(id: ID!, org: ID!): Contact }`)

  expect(breakingChanges(before, before)).toEqual([])
  expect(breakingChanges(before, added)).toEqual([])
  expect(breakingChanges(before, broken).toSorted()).toEqual([
    'A required arg org on Query.contact was added.',
    'CUSTOMER was removed from enum type Stage.',
    'Contact.fax was removed.',
    'Contact.phone changed type from String to Int.',
    'Contact.stage changed type from Stage! to Stage.',
  ])
})
