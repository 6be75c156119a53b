// Notices about writes from cells and buttons: success, or the reason of a refusal with the existing contact or the missing credits.

import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { existingRecord, type Failure } from '../../data/failure.ts'
import { announce } from '../../keyboard/announce.tsx'
import { contactWords } from '../../language/en/contacts.ts'
import { errorWords } from '../../language/en/errors.ts'
import { ExistingLink } from '../existing-link.tsx'
import { amount } from '../money.tsx'

interface Typed {
  /** The typed value, which stands nowhere else any more. */
  typed: string
  /** Writes the value again; undefined when another attempt cannot help. */
  retry: (() => void) | undefined
}

/** The sentence of a refusal, as it stands in a notice and beside a field. */
export const refusalText = (failure: Failure): string => failure.problems[0]?.message ?? failure.message

export function tellRefusal(title: string, failure: Failure, edit?: Typed): void {
  const sentence = refusalText(failure)
  const existing = existingRecord(failure)
  announce(`${title}. ${sentence}`)
  const id = notifications.show({
    color: 'red',
    title,
    autoClose: edit?.retry ? false : 10_000,
    closeButtonProps: { 'aria-label': errorWords.dismiss },
    message: (
      <>
        {sentence}
        {edit?.typed && `${/[.!?]$/.test(sentence) ? '' : '.'} ${errorWords.youTyped(edit.typed)}`}
        {failure.shortfall !== null && ` ${contactWords.record.needMore(amount(failure.shortfall))}`}
        {edit?.retry && (
          <Button
            variant="subtle"
            onClick={() => {
              notifications.hide(id)
              edit.retry?.()
            }}
          >
            {errorWords.retry}
          </Button>
        )}
        {existing && <ExistingLink record={existing} display="block" size="sm" onClick={() => notifications.hide(id)} />}
      </>
    ),
  })
}

/** Says that a typed value was not written, and why. */
export function tellProblem(title: string, problem: string): void {
  announce(`${title}. ${problem}`)
  notifications.show({ color: 'red', title, message: problem, autoClose: 10_000, closeButtonProps: { 'aria-label': errorWords.dismiss } })
}

/** Confirms an action that cannot be undone and leaves no trace on the screen. */
export function notify(sentence: string): void {
  announce(sentence)
  notifications.show({ message: sentence, closeButtonProps: { 'aria-label': errorWords.dismiss } })
}
