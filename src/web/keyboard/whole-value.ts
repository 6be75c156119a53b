// The text of a chosen value: typing replaces it.

import type { FocusEvent } from 'react'

/** Selects the text of an input that is searched by typing, when it gets the focus. */
export function selectWholeValue({ target }: FocusEvent<HTMLElement>): void {
  if (!(target instanceof HTMLInputElement) || target.readOnly || target.value === '') return
  const { value } = target
  target.select()
  // A press of the pointer puts the caret into the text after the focus.
  requestAnimationFrame(() => {
    if (document.activeElement === target && target.value === value) target.select()
  })
}
