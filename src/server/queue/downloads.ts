// The generators of downloadable files by kind, and who may open them.

import { exportContacts, exportEvents } from '../../contacts/exports/export.ts'
import { writeReport } from '../../contacts/imports/report.ts'
import { mayStill } from '../../identity/authentication/still-allowed.ts'
import type { DownloadSources } from '../../kernel/downloads/download.ts'

export const downloadSources: DownloadSources = {
  files: {
    contact_export: exportContacts,
    contact_import_report: writeReport,
  },
  downloaded: exportEvents.downloaded,
  mayStillRead: (context, maker, orgId) => mayStill(context, maker, orgId, 'contacts:read'),
}
