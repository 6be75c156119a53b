// The command lines of `rolocom events`, `rolocom hooks listen` and `rolocom mcp`.

import { buildCommand, buildRouteMap } from '@stricli/core'
import { commonFlags, serverFlags, text, texts } from '../flags.ts'

const tail = buildCommand({
  loader: async () => (await import('./tail.ts')).tail,
  parameters: {
    flags: {
      ...commonFlags,
      type: texts('type', 'Only this type, such as CONTACT_CREATED; may be repeated'),
      after: text('id', 'Begin behind this change. Default: from now on'),
    },
  },
  docs: {
    brief: 'Show what changes, as it changes',
    fullDescription:
      'A lost connection is opened again behind the last change. Ends with Ctrl-C. In a pipe, each change is a line of JSON.',
    customUsage: [
      { input: '', brief: 'all that the credential may read' },
      { input: '--type CALL_ENDED | jq .entityId', brief: 'ids of calls as they end' },
    ],
  },
})

export const events = buildRouteMap({ routes: { tail }, docs: { brief: 'Follow what changes' } })

export const listen = buildCommand({
  loader: async () => (await import('./listen.ts')).listen,
  parameters: {
    flags: {
      ...commonFlags,
      forwardTo: { ...text('address', 'Where deliveries are posted to, such as http://127.0.0.1:3000/webhooks'), optional: false },
      endpoint: text('id', 'The webhook endpoint. Default: the only one there is'),
      type: texts('type', 'Only this type of event, such as contact.created; may be repeated'),
      secret: text('whsec_...', 'The secret that signs them. Default: a new one, which is shown. ROLOCOM_LISTEN_SECRET is the same'),
    },
  },
  docs: {
    brief: 'Forward the deliveries of a webhook endpoint to a local address',
    fullDescription:
      'Reads the log of deliveries (scope webhooks:manage) and posts each one from now on to the address, with its body and webhook-id, signed\nas Standard Webhooks has it with the secret that is shown. Bodies are there for callers who may read their subjects. It\nanswers nothing to Rolocom: the endpoint itself still gets its deliveries. Ends with Ctrl-C.',
    customUsage: [{ input: '--forward-to http://127.0.0.1:3000/webhooks --type contact.created', brief: 'while you write the receiver' }],
  },
})

export const mcp = buildCommand({
  loader: async () => (await import('../mcp.ts')).mcp,
  parameters: { flags: serverFlags },
  docs: {
    brief: 'MCP over standard input and output',
    fullDescription: 'Forwards each message to /mcp of the server, for clients that start a command. It ends with 1 without a credential.',
    customUsage: [{ input: '', brief: 'with ROLOCOM_URL and ROLOCOM_API_KEY in the client’s configuration' }],
  },
})
