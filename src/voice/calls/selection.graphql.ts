// Derives from a query for a list of calls which columns of the calls and of their agents to select.

import { derivedOnce, fieldsIn, selectedFields, selectedRows } from '../../graphql/schema/lists/selection.graphql.ts'
import { agents } from '../agents/agent.sql.ts'
import type { SelectedCalls } from './list.ts'
import { calls, type ListedCall, listedProperties } from './row.ts'

export const selectedCalls = derivedOnce((info): SelectedCalls<ListedCall> => {
  const fields = selectedFields(info)
  return {
    rows: selectedRows(info.schema, 'Call', fields, calls, listedProperties),
    agent: fields.includes('voiceAgent')
      ? selectedRows(info.schema, 'VoiceAgent', fieldsIn(info, 'voiceAgent'), agents, ['id'])
      : undefined,
    withContact: fields.includes('contact'),
  }
})
