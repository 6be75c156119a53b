// An error in place of its content: the sentence, its details to copy, and a button to try again. The rest of the screen works.

import { Button, Text } from '@mantine/core'
import { existingRecord, type Failure } from '../../data/failure.ts'
import { useWait } from '../../data/use-wait.ts'
import { errorWords } from '../../language/en/errors.ts'
import { pieceWords } from '../../language/en/shared/pieces.ts'
import { ExistingLink } from '../existing-link.tsx'
import { AnchorLink } from '../links.tsx'
import { amount } from '../money.tsx'
import { FailureAlert } from './failure-alert.tsx'

interface ErrorNoticeProps {
  failure: Failure
  onRetry?: () => void
}

export function ErrorNotice({ failure, onRetry }: ErrorNoticeProps) {
  const wait = useWait(failure)
  const existing = existingRecord(failure)
  const lacksCredits = failure.code === 'INSUFFICIENT_CREDITS'
  return (
    <FailureAlert
      failure={failure}
      details={failure.shortfall !== null && <Text size="sm">{pieceWords.lacking(amount(failure.shortfall))}</Text>}
      actions={
        (existing || lacksCredits || onRetry) && (
          <>
            {existing && <ExistingLink record={existing} size="sm" />}
            {lacksCredits && (
              <AnchorLink to="/credits" size="sm">
                {pieceWords.toCredits}
              </AnchorLink>
            )}
            {onRetry && (
              <Button variant="default" disabled={wait > 0} onClick={onRetry}>
                {wait > 0 ? errorWords.retryIn(wait) : errorWords.retry}
              </Button>
            )}
          </>
        )
      }
    />
  )
}
