// The endpoints of exports and imports of contacts.

import { z } from 'zod'
import { CreateContactExportDocument } from '../../../generated/operations.ts'
import { developers } from '../../router/callers.ts'
import { type Route, route } from '../../router/route.ts'
import { contactFilter, contactSort } from '../inputs.ts'
import { fileExamples as examples } from './examples.ts'
import { newExport } from './inputs.ts'

const aFile = { role: 'api', tag: 'Imports and exports', callers: developers } as const

export const fileRoutes: readonly Route[] = [
  route({
    ...aFile,
    method: 'POST',
    path: '/api/crm/v1/exports',
    operationId: 'createContactExport',
    summary: 'Export contacts',
    description:
      'Makes a link that opens a file of contacts once, within 60 seconds and without a credential. The query is that of the list ' +
      'of contacts, the body says what the file has of them.',
    scope: 'contacts:read',
    query: z.strictObject({ sort: contactSort.optional(), ...contactFilter }),
    body: newExport,
    bodyMayBeAbsent: true,
    document: CreateContactExportDocument,
    status: 201,
    isSecret: true,
    examples: { body: examples.newExport, answer: examples.download },
  }),
]
