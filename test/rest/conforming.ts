// Sends REST requests and validates each response against the OpenAPI document: status, media type and body.

import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openapi } from '../../src/rest/openapi/openapi.ts'
import type { Answer, Asked, Json, TestApp } from '../support/app.ts'

const document = openapi() as Json
const ajv = new Ajv2020.default({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

const templates = Object.keys(document.paths).map(template => ({
  template,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Like `app.rest`, but fails the test if the response does not conform to the document. */
export const conforming =
  (app: TestApp): TestApp['rest'] =>
  async (method, path, asked?: Asked) => {
    const answer = await app.rest(method, path, asked)
    const complaint = complaintAbout(method, path, answer)
    if (complaint) throw new Error(`${method} ${path} answered ${answer.status}: ${complaint}\n${JSON.stringify(answer.body, null, 1)}`)
    return answer
  }

function complaintAbout(method: string, path: string, { status, headers, body }: Answer): string | null {
  if (!headers.get('x-request-id')) return 'no X-Request-Id'
  const [address = ''] = path.split('?')
  const operation = operationAt(method, address)
  // A path or method that is not in the document is 404 or 405, in the common error format.
  if (!operation) return status === 404 || status === 405 ? broken('#/components/schemas/Problem', body) : `not documented at all`
  const pointer = `#/paths/${escaped(operation.template)}/${operation.method}/responses/${status}`
  const response = resolved(document.paths[operation.template]?.[operation.method]?.responses?.[status])
  if (!response) return `${status} is not documented`
  for (const name of Object.keys(response.headers ?? {}))
    if ((always.has(name.toLowerCase()) || (name === 'Retry-After' && retried.has(status))) && !headers.get(name))
      return `the header ${name} is missing`
  if (method === 'HEAD' || !response.content) return body === '' ? null : 'there should be no body'
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  if (!response.content[type]) return `${type} is not documented`
  return broken(`${response.$pointer ?? pointer}/content/${escaped(type)}/schema`, body)
}

const always = new Set(['location', 'www-authenticate', 'etag', 'x-request-id'])
const retried = new Set([429, 503])

function operationAt(method: string, address: string): { template: string; method: string } | undefined {
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase()
  const matching = templates
    .filter(({ pattern }) => pattern.test(address))
    .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)
  const template = matching[0]?.template
  return template && document.paths[template][asked] ? { template, method: asked } : undefined
}

function resolved(response: Json): Json {
  if (!response?.$ref) return response
  return { ...document.components.responses[response.$ref.split('/').at(-1)], $pointer: response.$ref }
}

/** What does not fit the schema at this place of the document; null for nothing. */
export function broken(pointer: string, body: unknown): string | null {
  const validate = ajv.getSchema(`openapi${pointer}`) ?? ajv.compile({ $ref: `openapi${pointer}` })
  return validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: 'body' })
}

export const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
