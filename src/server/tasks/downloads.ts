// What writes the files of downloads: kind -> rule.

import { exportContacts } from '../../contacts/exports/export.ts'
import type { DownloadSources } from '../../kernel/downloads/download.ts'

export const downloadSources: DownloadSources = {
  contact_export: exportContacts,
}
