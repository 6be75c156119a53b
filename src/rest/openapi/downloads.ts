// One-use links to files in the OpenAPI document.

import type { JsonSchema } from '../../graphql/execute/json-schema.ts'
import { downloadPath } from '../../kernel/downloads.ts'
import { fileExamples } from '../routes/files/examples.ts'
import { parameter, requestId } from './doors.ts'

export const downloadPaths = (): Record<string, Record<string, JsonSchema>> => ({
  [`${downloadPath}/{token}`]: {
    get: {
      operationId: 'download',
      summary: 'Download a file',
      description: 'Opens the file of a link, once. The token in the address is the credential, so that a browser can follow the link.',
      tags: ['Imports and exports'],
      security: [],
      parameters: [
        { name: 'token', in: 'path', required: true, description: "The last part of the link's `url`.", schema: { type: 'string' } },
        parameter('XRequestId'),
      ],
      responses: {
        200: {
          description: 'The file, as an attachment.',
          headers: requestId,
          content: {
            'text/csv': { schema: { type: 'string' }, example: fileExamples.file },
            'application/zip': { schema: { type: 'string', format: 'binary' } },
          },
        },
        404: { $ref: '#/components/responses/NotFound' },
        429: { $ref: '#/components/responses/RateLimited' },
        500: { $ref: '#/components/responses/Internal' },
        503: { $ref: '#/components/responses/Unavailable' },
      },
    },
  },
})
