// A stage: a dot in its colour, and its word.

import type { LifecycleStage } from '../../generated/schema.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { Status, type Tone } from '../../pieces/status.tsx'

// Warmer towards a purchase.
const tones: Readonly<Record<LifecycleStage, Tone>> = {
  SUBSCRIBER: 'quiet',
  LEAD: 'information',
  QUALIFIED: 'information',
  OPPORTUNITY: 'waiting',
  CUSTOMER: 'good',
  EVANGELIST: 'good',
  OTHER: 'quiet',
}

export const StageStatus = ({ stage }: { stage: LifecycleStage }) => <Status tone={tones[stage]} label={contactWords.stage[stage]} />
