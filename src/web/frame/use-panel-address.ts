// Panels whose content the address names. Opening one adds an entry to the history, so that Back closes it and stays in the list; closing it
// takes that entry away again. What is shown in a panel that is open already takes the place of what was.

import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Added by opening a panel whose content the address names. */
    isPanel?: boolean
  }
}

/** `close` changes the address of a panel that was not opened here: by a link, or by loading the page. */
export function usePanelAddress(isOpen: boolean, close: () => void) {
  const { history } = useRouter()
  return {
    /** For the `navigate` that opens it. */
    opening: isOpen ? ({ replace: true, state: true } as const) : { replace: false, state: { isPanel: true } },
    close: () => (history.location.state.isPanel ? history.back() : close()),
  }
}
