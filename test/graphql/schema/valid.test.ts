// The schemas are valid by GraphQL's rules. The server does not validate them again: see public.ts.

import { GraphQLSchema, validateSchema } from 'graphql'
import { expect, test } from 'vitest'
import { wireSchema } from '../../../src/graphql/execute/run.ts'
import { publicOf } from '../../../src/graphql/schema/public.ts'
import { schema } from '../../../src/graphql/schema/root.ts'

test.each([
  ['whole', schema],
  ['public', publicOf(schema)],
  ['wire', wireSchema()],
])('the %s schema is valid', (_name, given) => {
  expect(validateSchema(new GraphQLSchema({ ...given.toConfig(), assumeValid: false }))).toEqual([])
})
