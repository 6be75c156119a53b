// The page of a deal that cannot be found.

import type { Failure } from '../data/failure.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Gone } from '../pieces/states/gone.tsx'

const words = dealWords.gone

export const GoneDeal = ({ failure, onRetry }: { failure: Failure; onRetry(): void }) => (
  <Gone failure={failure} onRetry={onRetry} title={words.title} sentence={words.unknown}>
    <ButtonLink to="/deals" variant="default" mt="xs">
      {words.toDeals}
    </ButtonLink>
  </Gone>
)
