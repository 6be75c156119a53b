// The columns of the list of enrichment jobs.

import type { JobRowFragment } from '../generated/operations.ts'
import type { EnrichmentJobStatus } from '../generated/schema.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { runWords } from '../language/en/screens/runs.ts'
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
  contact?.fullName ?? contact?.email ?? runWords.of(wordOf(enrichmentWords.target, target.kind), target.hostApp)

export const jobColumns: readonly Column<JobRowFragment>[] = [
  { id: 'target', header: runWords.columns.about, width: 220, cell: targetName },
  {
    id: 'status',
    header: runWords.columns.status,
    width: 170,
    cell: ({ jobStatus }) => <Status tone={jobTones[jobStatus]} label={enrichmentWords.runStatus[jobStatus]} />,
  },
  { id: 'result', header: runWords.columns.result, width: 110, cell: ({ result }) => result && enrichmentWords.result[result] },
  { id: 'recipe', header: runWords.columns.source, width: 200, cell: ({ recipe }) => <RecipeName recipe={recipe} /> },
  {
    id: 'found',
    header: runWords.columns.found,
    width: 120,
    // A card has no header that names the number.
    cell: ({ suggestionCount }) => (suggestionCount > 0 ? countText(suggestionCount, nounWords.suggestion) : null),
  },
  {
    id: 'cost',
    header: runWords.columns.cost,
    width: 120,
    align: 'right',
    cell: ({ jobCredits, finishedAt }) => finishedAt && <Credits value={jobCredits} />,
  },
  { id: 'attempts', header: runWords.columns.attempts, width: 100, align: 'right', isHidden: true, cell: ({ attempts }) => attempts },
  { id: 'createdAt', header: runWords.columns.requested, width: 150, sort: byAge, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'error', header: runWords.columns.failed, width: 260, cell: ({ error }) => error },
]
