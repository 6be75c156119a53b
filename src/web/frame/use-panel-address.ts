// Panels whose content the address names. Opening a panel adds a history entry, so Back closes the panel and stays in the list. Closing the
// panel removes the entry. Other content in an open panel replaces the entry.

import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set on the entry that opened a panel. */
    isPanel?: boolean
  }
}

/** `close` removes the panel from the address when a link or a reload opened it. */
export function usePanelAddress(isOpen: boolean, close: () => void) {
  const { history } = useRouter()
  return {
    /** Options for the `navigate` that opens the panel. */
    opening: isOpen ? ({ replace: true, state: true } as const) : { replace: false, state: { isPanel: true } },
    close: () => (history.location.state.isPanel ? history.back() : close()),
  }
}
