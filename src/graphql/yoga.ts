// Yoga around our own way of running documents: GraphiQL, event streams, and choosing between media types.

import { createYoga, type Plugin } from 'graphql-yoga'
import type { Context } from '../context.ts'
import { answerOf, jsonTypeOf } from './answer.ts'
import { fitted } from './graphiql.ts'
import type { Outcome, Results } from './operations.ts'
import type { Parameters } from './parameters.ts'

/** A request that has been read. */
export interface Asking {
  context: Context
  parameters: Parameters
  run(): Promise<Outcome<Results>>
}

interface Surroundings {
  asking?: Asking
}

export function createYogaHandler({ isProduction }: { isProduction: boolean }) {
  return createYoga<Surroundings>({
    // Whoever opens the address in a browser gets GraphiQL, except in production. It comes with its scripts inside: no CDN.
    graphiql: !isProduction && {
      title: 'Rolocom GraphiQL',
      defaultQuery: welcome,
      // A guest to begin with, so that the first Run answers.
      headers: '{"X-Guest-ID": "graphiql"}',
      subscriptionsProtocol: 'SSE',
      defaultEditorToolsVisibility: 'headers',
    },
    renderGraphiQL: async options => fitted((await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options)),
    landingPage: false,
    logging: false,
    // CORS, batches, uploads, health checks and error masking are decided elsewhere, the same for every door.
    cors: false,
    batching: false,
    multipart: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    plugins: [ourWay],
  })
}

const welcome = `# You are a guest, who may look at the demo organization.
# To be somebody, replace the header below:
#   {"Authorization": "Bearer rcm_..."}

query Contacts {
  contacts(first: 10) {
    nodes {
      id
      fullName
      email
      lifecycleStage
    }
  }
}
`

// A result, for as long as its status goes with it.
const statuses = new WeakMap<object, number>()

const ourWay: Plugin<object, Surroundings> = {
  // The request was read before: Yoga would check less than we do, and the stream is spent.
  onRequestParse({ serverContext: { asking }, setRequestParser }) {
    if (asking) setRequestParser(() => asking.parameters)
  },
  onParams({ context: { asking }, setParamsHandler }) {
    if (!asking) return
    setParamsHandler(async () => {
      const { result, status } = await asking.run()
      if (status !== undefined) statuses.set(result, status)
      return result
    })
  },
  // JSON comes out of one place whether Yoga was asked or not; Yoga keeps the event streams.
  onResultProcess({ request, result, serverContext: { asking }, setResultProcessor }) {
    const type = jsonTypeOf(request.headers.get('accept') ?? undefined)
    if (!type || !asking || Symbol.asyncIterator in result || Array.isArray(result)) return
    setResultProcessor((_result, { Response }) => {
      const { text, ...init } = answerOf(result, type, asking.context, statuses.get(result))
      return new Response(text, init)
    }, type)
  },
}
