// Which queries of the app a change makes stale.

import { expect, test } from 'vitest'
import { changeTypeValues } from '../../src/web/generated/schema.ts'
import { staleFields } from '../../src/web/live/change-rules.ts'

test('every change is of a noun that the app knows, or all of it is read again on purpose', () => {
  const unknown = changeTypeValues.filter(type => !type.startsWith('USER_') && staleFields({ type }) === 'all')

  expect(unknown).toEqual(['ORGANIZATION_SAMPLE_DATA_ADDED', 'ORGANIZATION_SAMPLE_DATA_REMOVED', 'READ_AFRESH'])
})

test('a noun is read again by its own fields, and by the sums and lists of others that show it', () => {
  expect(staleFields({ type: 'TAG_RENAMED' })).toEqual(['tags', 'contacts', 'contact', 'companies', 'company', 'deals', 'deal'])
  expect(staleFields({ type: 'CONTACT_IMPORT_UPDATED' })).toEqual([
    ...['contactImport', 'contactImports', 'contactImportRows', 'checkContactImport'],
  ])
  expect(staleFields({ type: 'API_KEY_REVOKED' })).toEqual(['apiKeys'])
  // The first deal brings widgets to the page.
  expect(staleFields({ type: 'DEAL_CREATED' })).toEqual(['deal', 'deals', 'dealBoard', 'tags', 'dashboardWidget', 'dashboardWidgets'])
})
