// Keys of an input method. While it composes, Enter chooses a word, Tab and arrows go through what it offers, and Esc takes it back: none of
// them is for the app. One listener before all others says so, and no editor, dialog or search has to ask.

export function leaveComposingKeys(): void {
  window.addEventListener(
    'keydown',
    event => {
      // Safari ends the composition before the Enter that ended it: there only the code tells.
      if (!event.isComposing && event.keyCode !== 229) return
      event.stopImmediatePropagation()
      // A form is sent by Enter without any listener.
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
    },
    { capture: true },
  )
}
