// Notifications of this browser about inbox items: chosen for each browser, and shown by tabs that are in the background.

const key = 'rolocom.browser-notices'

/** Whether this browser can show any. */
export const canNotify = (): boolean => 'Notification' in window && Notification.permission !== 'denied'

export function isNotifying(): boolean {
  try {
    return canNotify() && Notification.permission === 'granted' && localStorage.getItem(key) === 'on'
  } catch {
    // The browser forbids storage.
    return false
  }
}

/** Asks the browser for permission where it has not been asked. Call it from a click only. Resolves with whether they are on. */
export async function setNotifying(isOn: boolean): Promise<boolean> {
  try {
    if (isOn && (await Notification.requestPermission()) === 'granted') localStorage.setItem(key, 'on')
    else localStorage.removeItem(key)
  } catch {
    return false
  }
  return isNotifying()
}

/** Shows the sentence while this tab is in the background. Tabs that hear of the same item show it once, by its id. `onOpen` is for a click on it. */
export function notifyBrowser(id: string, sentence: string, onOpen: () => void): void {
  if (document.visibilityState === 'visible' || !isNotifying()) return
  const notice = new Notification('Rolocom', { body: sentence, tag: id })
  notice.onclick = () => {
    window.focus()
    notice.close()
    onOpen()
  }
}
