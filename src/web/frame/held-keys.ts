// Holds what somebody types while a part with an input loads and opens. Otherwise the page below takes the letters for shortcuts.

export interface HeldKeys {
  text: string
  /** Whether Enter was pressed after the text. */
  isEntered: boolean
}

const none: HeldKeys = { text: '', isEntered: false }
let held = none
let stop: (() => void) | null = null

// 10 s: the part has not come, and the keys belong to the page again.
const longestMs = 10_000

/** Holds the keys from now on, until `takeKeys` or Esc. */
export function holdKeys(): void {
  takeKeys()
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || key === 'Tab') return
    if (key === 'Escape') return void takeKeys()
    const text = key === 'Backspace' ? held.text.slice(0, -1) : key.length === 1 ? held.text + key : held.text
    if (text === held.text && key !== 'Enter') return
    held = { text, isEntered: key === 'Enter' }
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', onKey, { capture: true })
  const timer = setTimeout(takeKeys, longestMs)
  stop = () => {
    window.removeEventListener('keydown', onKey, { capture: true })
    clearTimeout(timer)
  }
}

/** Ends the holding, and returns the keys. */
export function takeKeys(): HeldKeys {
  stop?.()
  stop = null
  const taken = held
  held = none
  return taken
}
