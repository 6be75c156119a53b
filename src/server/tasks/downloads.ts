// What writes the files of downloads: kind -> rule.

import { exportContacts } from '../../contacts/exports/export.ts'
import { writeReport } from '../../contacts/imports/report.ts'
import type { DownloadSources } from '../../kernel/downloads/download.ts'

export const downloadSources: DownloadSources = {
  contact_export: exportContacts,
  contact_import_report: writeReport,
}
