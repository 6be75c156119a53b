// Keeps the keys of an input method away from the app. During a composition Enter chooses a word, Tab and arrows move between suggestions, and
// Esc cancels. One listener before all others stops these keys, so no editor, dialog or search has to check.

export function leaveComposingKeys(): void {
  window.addEventListener(
    'keydown',
    event => {
      // Safari ends the composition before it sends its Enter; only the key code shows that.
      if (!event.isComposing && event.keyCode !== 229) return
      event.stopImmediatePropagation()
      // The browser submits a form on Enter without any listener.
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
    },
    { capture: true },
  )
}
