// GraphQL: the last payloads of hooks.

import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { type HookPayload, listPayloads } from './payload.ts'

interface Header {
  name: string
  value: string
}

const HookHeaderType = builder.objectRef<Header>('HookHeader').implement({
  description: 'A header of a hook.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name, in lower case.' }),
    value: t.exposeString('value', { description: 'Its value; `[redacted]` where it may be a secret.' }),
  }),
})

const HookPayloadType = builder.objectRef<HookPayload>('HookPayload').implement({
  description: 'A request of a mapped hook, without what may be a credential.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    hook: t.exposeString('hook', { description: 'The name of the hook, as `testHook` takes it.' }),
    mapping: t.exposeString('mapping', { nullable: true, description: 'The mapping that took it; null when none did.' }),
    status: t.exposeInt('status', { description: 'The status that it was answered with.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why it was refused.' }),
    headers: t.field({
      type: [HookHeaderType],
      description: 'Its headers.',
      resolve: ({ headers }) => Object.entries(headers ?? {}).map(([name, value]) => ({ name, value: String(value) })),
    }),
    payload: t.expose('payload', {
      type: 'JSON',
      nullable: true,
      description: 'The payload; of one above 16,384 characters the beginning of its text.',
    }),
    isTruncated: t.exposeBoolean('isTruncated', { description: 'Whether only its beginning was kept.' }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'When it came.' }),
  }),
})

const HookPayloadConnection = connectionOf('HookPayload', 'payloads of hooks', HookPayloadType)

builder.queryField('hookPayloads', t =>
  t.field({
    type: HookPayloadConnection,
    description:
      'The last requests of mapped hooks, the newest first: the last 100 of each hook, seven days long; of a burst ten a second. Names that may be credentials are `[redacted]`.',
    authScopes: { role: 'member' },
    args: { ...pageArgs, hook: t.arg.string({ description: 'Of this hook. Default: of all.' }) },
    resolve: (_root, args, context) => listPayloads(context, args),
  }),
)
