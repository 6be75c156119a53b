// The highlighted option in the open list of an input: Enter and Tab choose it. And the entry that an open menu gives the focus to.

import { type KeyboardEvent, useEffect } from 'react'

// Only one list is open at a time. The input itself does not name the list when it was rendered with the list open.
export const highlightedOption = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-combobox-option][data-combobox-selected]')

/** Highlights the first option, also when the server sends the options after the typing. */
export function useFirstHighlighted(isTyped: boolean): void {
  useEffect(() => {
    if (isTyped && !highlightedOption())
      document.querySelector('[data-combobox-option]:not([data-combobox-disabled])')?.setAttribute('data-combobox-selected', 'true')
  })
}

/** For inputs with one value. The list handles Enter itself. */
export function takeByTab(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'Tab') highlightedOption()?.click()
}

/** For inputs with several values. Mantine chooses by index on Enter, and takes the wrong option when the list has changed. */
export function takeByEnterOrTab(event: KeyboardEvent<HTMLElement>): void {
  const option = event.key === 'Enter' || event.key === 'Tab' ? highlightedOption() : null
  if (!option) return
  option.click()
  // Enter must not submit the form; Tab still moves to the next input.
  if (event.key === 'Enter') event.preventDefault()
}

/** Mantine gives the focus of an open menu to its first entry. A disabled one cannot take it, so the next one does, or the menu itself. */
export function focusMenu(menu: HTMLElement | null): void {
  if (!menu) return
  // After Mantine.
  setTimeout(() => {
    if (menu.contains(document.activeElement)) return
    const entry = menu.querySelector<HTMLElement>('[data-menu-item]:not([data-disabled])') ?? menu
    entry.focus({ preventScroll: true })
  }, 20)
}
