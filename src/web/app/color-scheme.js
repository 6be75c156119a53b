// Runs before the first paint: puts the colour scheme that was pinned, or the system's, on the document.
;(() => {
  let pinned = null
  try {
    pinned = localStorage.getItem('rolocom.color-scheme')
  } catch {
    // Storage is forbidden: the system's scheme.
  }
  const isDark = pinned === 'dark' || (pinned !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
