// GraphQL: the codes of errors, and the error of a row in operations on many rows.

import { type Code, meaningOf, type RowError, statusOf } from '../../kernel/errors.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import { builder, isInternal } from './builder.ts'

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description: "The codes of errors, in `extensions.code` of the answer's errors.",
  values: Object.fromEntries((Object.keys(statusOf) as Code[]).map(code => [code, { value: code, description: meaningOf[code] }])),
})

const ProblemType = builder.objectRef<Problem>('Problem').implement({
  description: 'A problem of one value of an input, as in `extensions.problems` of an error.',
  fields: t => ({
    path: t.stringList({
      description: 'Where it is below the input: names of fields and places in lists.',
      resolve: ({ path }) => path.map(String),
    }),
    type: t.exposeString('type', { description: 'Kind of problem: `missing`, `string_too_long`, `value_error`, ...' }),
    message: t.exposeString('message', { description: 'In a sentence.' }),
    input: t.field({ type: 'JSON', nullable: true, description: 'The value, where it is short.', resolve: ({ input }) => input ?? null }),
    context: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Parameters of the sentence, such as `max_length`.',
      resolve: ({ context }) => context ?? null,
    }),
  }),
})

export const RowErrorType = builder.objectRef<RowError>('RowError').implement({
  description: 'Why a row failed, while others did not.',
  fields: t => ({
    code: t.expose('code', { type: ErrorCodeEnum, description: 'Kind of error.' }),
    message: t.exposeString('message', { description: 'In a sentence.' }),
    problems: t.field({
      type: [ProblemType],
      description: "Problems of the row's fields; empty for other codes than INVALID.",
      resolve: ({ problems }) => problems ?? [],
    }),
    // The router converts them to REST's `loc` and `msg`.
    rawProblems: t.expose('problems', {
      type: 'JSON',
      nullable: true,
      description: "Problems of the row's fields: path, type, message and input of each; null for other codes than INVALID.",
      extensions: isInternal,
    }),
  }),
})
