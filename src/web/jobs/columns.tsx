// The columns of the list of enrichment jobs.

import type { JobRowFragment } from '../generated/operations.ts'
import type { EnrichmentJobStatus } from '../generated/schema.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { wordOf } from '../language/values.ts'
import { Credits } from '../pieces/money.tsx'
import { Status, type Tone } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'
import { RecipeName } from './recipe-name.tsx'

export const jobTones = {
  CANCELED: 'quiet',
  COMPLETED: 'good',
  FAILED: 'failing',
  INSUFFICIENT_CREDITS: 'failing',
  QUEUED: 'waiting',
  RUNNING: 'information',
} as const satisfies Record<EnrichmentJobStatus, Tone>

type JobTarget = Pick<JobRowFragment, 'contact' | 'target'>

export const targetName = ({ contact, target }: JobTarget): string =>
  contact?.fullName ?? contact?.email ?? `${wordOf(enrichmentWords.target, target.kind)} of ${target.hostApp}`

export const jobColumns: readonly Column<JobRowFragment>[] = [
  { id: 'target', header: 'About', width: 220, cell: targetName },
  {
    id: 'status',
    header: 'Status',
    width: 170,
    cell: ({ jobStatus }) => <Status tone={jobTones[jobStatus]} label={enrichmentWords.runStatus[jobStatus]} />,
  },
  { id: 'result', header: 'Result', width: 110, cell: ({ result }) => result && enrichmentWords.result[result] },
  { id: 'recipe', header: 'Source', width: 200, cell: ({ recipe }) => <RecipeName recipe={recipe} /> },
  {
    id: 'found',
    header: 'Found',
    width: 120,
    // A card has no header that names the number.
    cell: ({ suggestionCount }) => (suggestionCount > 0 ? countText(suggestionCount, nounWords.suggestion) : null),
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 120,
    align: 'right',
    cell: ({ jobCredits, finishedAt }) => finishedAt && <Credits value={jobCredits} />,
  },
  { id: 'attempts', header: 'Attempts', width: 100, align: 'right', isHidden: true, cell: ({ attempts }) => attempts },
  { id: 'createdAt', header: 'Requested', width: 150, sort: byAge, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'error', header: 'Why it failed', width: 260, cell: ({ error }) => error },
]
