// The option that is highlighted in the open list of an input: Enter and Tab take it, not the letters that led to it.

import { type KeyboardEvent, useEffect } from 'react'

// One list is open at a time. An input that was rendered with its list open does not name it yet.
export const highlightedOption = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-combobox-option][data-combobox-selected]')

/** Highlights the first option also where the options come after what is typed, by an answer of the server. */
export function useFirstHighlighted(isTyped: boolean): void {
  useEffect(() => {
    if (isTyped && !highlightedOption())
      document.querySelector('[data-combobox-option]:not([data-combobox-disabled])')?.setAttribute('data-combobox-selected', 'true')
  })
}

/** For inputs that take one value. Enter is the list's own. */
export function takeByTab(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'Tab') highlightedOption()?.click()
}

/** For inputs that take several values. Mantine's Enter counts options, and takes another one where the list has changed since. */
export function takeByEnterOrTab(event: KeyboardEvent<HTMLElement>): void {
  const option = event.key === 'Enter' || event.key === 'Tab' ? highlightedOption() : null
  if (!option) return
  option.click()
  // Not for the form. Tab goes on to the next input all the same.
  if (event.key === 'Enter') event.preventDefault()
}
