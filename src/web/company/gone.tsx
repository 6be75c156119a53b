// The page of a company that cannot be found.

import type { Failure } from '../data/failure.ts'
import { companyWords } from '../language/en/companies.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Gone } from '../pieces/states/gone.tsx'

const words = companyWords.gone

export const GoneCompany = ({ failure, onRetry }: { failure: Failure; onRetry(): void }) => (
  <Gone failure={failure} onRetry={onRetry} title={words.title} sentence={words.unknown}>
    <ButtonLink to="/companies" variant="default" mt="xs">
      {words.toCompanies}
    </ButtonLink>
  </Gone>
)
