// Notices of writes from cells and buttons: what was done, or why it was refused, with what belongs to it (the existing one, the shortfall).

import { notifications } from '@mantine/notifications'
import { existingContact, type Failure } from '../../data/failure.ts'
import { announce } from '../../keyboard/announce.tsx'
import { AnchorLink } from '../../pieces/links.tsx'
import { amount } from '../../pieces/money.tsx'

export function tellRefusal(title: string, failure: Failure): void {
  const sentence = failure.problems[0]?.message ?? failure.message
  const existing = existingContact(failure)
  announce(`${title}. ${sentence}`)
  const id = notifications.show({
    color: 'red',
    title,
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    message: (
      <>
        {sentence}
        {failure.shortfall !== null && ` ${amount(failure.shortfall)} are missing.`}
        {existing && (
          <AnchorLink
            display="block"
            size="sm"
            to="/contacts/$contactId"
            params={{ contactId: existing }}
            onClick={() => notifications.hide(id)}
          >
            Open the existing one
          </AnchorLink>
        )}
      </>
    ),
  })
}

/** Says that something was done, where nothing on the screen shows it and it cannot be undone. */
export function notify(sentence: string): void {
  announce(sentence)
  notifications.show({ message: sentence, closeButtonProps: { 'aria-label': 'Dismiss' } })
}
