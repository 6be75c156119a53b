// Yoga with our own executor: serves GraphiQL and event streams, and negotiates media types.

import { createYoga, type Plugin } from 'graphql-yoga'
import type { Context } from '../../kernel/context.ts'
import { answerOf, jsonTypeOf } from './answer.ts'
import type { Outcome, Results } from './operations.ts'
import type { Parameters } from './parameters.ts'

/** A parsed request. */
interface ParsedRequest {
  context: Context
  parameters: Parameters
  run(): Promise<Outcome<Results>>
}

interface ServerContext {
  parsed?: ParsedRequest
}

export function createYogaHandler({ isProduction }: { isProduction: boolean }) {
  return createYoga<ServerContext>({
    // Browsers get GraphiQL, except in production. Its scripts are inline, not loaded from a CDN.
    graphiql: !isProduction && {
      title: 'Rolocom GraphiQL',
      defaultQuery: welcome,
      // With this guest header as default, the default query needs no credential.
      headers: '{"X-Guest-ID": "graphiql"}',
      subscriptionsProtocol: 'SSE',
      defaultEditorToolsVisibility: 'headers',
    },
    renderGraphiQL: async options => fitToScreen((await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options)),
    landingPage: false,
    logging: false,
    // CORS, batches, uploads, health checks and error masking are handled outside Yoga, the same for every door.
    cors: false,
    batching: false,
    multipart: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    plugins: [executorPlugin],
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

// The HTTP status of a result, passed from onParams to onResultProcess.
const statuses = new WeakMap<object, number>()

const executorPlugin: Plugin<object, ServerContext> = {
  // endpoint.ts has already parsed the request, with stricter checks, and consumed its body.
  onRequestParse({ serverContext: { parsed }, setRequestParser }) {
    if (!parsed) return
    // Yoga refuses members that it does not know.
    const { query, variables, operationName } = parsed.parameters
    setRequestParser(() => ({ query, variables, operationName }))
  },
  onParams({ context: { parsed }, setParamsHandler }) {
    if (!parsed) return
    setParamsHandler(async () => {
      const { result, status } = await parsed.run()
      if (status !== undefined) statuses.set(result, status)
      return result
    })
  },
  // JSON responses are formatted by answer.ts with and without Yoga; Yoga formats event streams.
  onResultProcess({ request, result, serverContext: { parsed }, setResultProcessor }) {
    const type = jsonTypeOf(request.headers.get('accept') ?? undefined)
    if (!type || !parsed || Symbol.asyncIterator in result || Array.isArray(result)) return
    setResultProcessor((_result, { Response }) => {
      const { text, ...init } = answerOf(result, type, parsed.context, statuses.get(result))
      return new Response(text, init)
    }, type)
  },
}

/** Adds a viewport, sufficient color contrast and a layout for phones to GraphiQL's page. */
const fitToScreen = (html: string): string =>
  html
    .replace('<head>', () => `<head>\n      <meta name="viewport" content="width=device-width, initial-scale=1" />`)
    .replace('</head>', () => `<style>${style}</style>\n    </head>`)

// Inline, because the page's CSP allows inline styles only.
const style = `
/* The logo, line numbers and (mtk8) comments are too pale to read. */
.graphiql-container .graphiql-logo, .graphiql-container .graphiql-logo * { color: inherit; }
.monaco-editor .line-numbers { color: #5b6675 !important; }
@media (prefers-color-scheme: dark) {
  body:not(.graphiql-light) .monaco-editor .line-numbers { color: #a9b1bd !important; }
  body:not(.graphiql-light) .monaco-editor .mtk8 { color: #8dbb78; }
}
body.graphiql-dark .monaco-editor .line-numbers { color: #a9b1bd !important; }
body.graphiql-dark .monaco-editor .mtk8 { color: #8dbb78; }
/** On phones, the answer is below the query. */
@media (max-width: 700px) {
  .graphiql-container .graphiql-logo { display: none; }
  /** While the documentation is open, it replaces the editor. */
  .graphiql-main:has(.graphiql-plugin > *) > :has(.graphiql-plugin) { flex: 1 1 100% !important; }
  .graphiql-main:has(.graphiql-plugin > *) > .graphiql-sessions { display: none; }
  .graphiql-container #graphiql-session { flex-direction: column; overflow: auto; }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-container .graphiql-editors, .graphiql-container .graphiql-response { flex: 1 1 50% !important; min-height: 18rem; width: 100%; }
}`
