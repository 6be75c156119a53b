// The page of a contact that cannot be found: it never existed, belongs to another organization, or was merged into another contact.

import type { Failure } from '../data/failure.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Gone } from '../pieces/states/gone.tsx'

const words = recordWords.gone

export function GoneContact({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  const { mergedInto } = failure
  return (
    <Gone failure={failure} onRetry={onRetry} title={words.title} sentence={mergedInto ? words.merged : words.unknown}>
      {mergedInto ? (
        <ButtonLink to="/contacts/$contactId" params={{ contactId: mergedInto }} mt="xs">
          {words.openOther}
        </ButtonLink>
      ) : (
        <ButtonLink to="/contacts" variant="default" mt="xs">
          {words.toContacts}
        </ButtonLink>
      )}
    </Gone>
  )
}
