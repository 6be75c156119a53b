// GraphQL: the codes of errors, and the error of a row in operations on many rows.

import { type Code, meaningOf, type RowError, statusOf } from '../../kernel/errors.ts'
import { builder } from './builder.ts'

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description: "The codes of errors, in `extensions.code` of the answer's errors.",
  values: Object.fromEntries((Object.keys(statusOf) as Code[]).map(code => [code, { value: code, description: meaningOf[code] }])),
})

export const RowErrorType = builder.objectRef<RowError>('RowError').implement({
  description: 'Why a row failed, while others did not.',
  fields: t => ({
    code: t.expose('code', { type: ErrorCodeEnum, description: 'What kind of error.' }),
    message: t.exposeString('message', { description: 'In a sentence.' }),
    problems: t.expose('problems', {
      type: 'JSON',
      nullable: true,
      description: "What is wrong with the row's fields: path, type, message and input of each; null for other codes than INVALID.",
    }),
  }),
})
