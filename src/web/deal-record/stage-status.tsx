// The stage of a deal: a dot and its name. A deal that has stood too long in its stage says so.

import type { StageKind } from '../generated/schema.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { Status, type Tone } from '../pieces/status.tsx'
import type { Deal } from './fields.ts'

const tones = { OPEN: 'information', WON: 'good', LOST: 'failing' } as const satisfies Record<StageKind, Tone>

export function StageStatus({ deal: { stage, isStale } }: { deal: Pick<Deal, 'stage' | 'isStale'> }) {
  if (!stage) return null
  return isStale ? <Status tone="waiting" label={dealWords.stale(stage.name)} /> : <Status tone={tones[stage.kind]} label={stage.name} />
}
