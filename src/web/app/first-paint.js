// Runs before the first paint: puts on the document what only this browser knows, which is the colour scheme, pinned or the system's, and the
// shape of the page that will stand here.
;(() => {
  const kept = key => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage is forbidden.
      return null
    }
  }
  const { dataset } = document.documentElement
  const pinned = kept('rolocom.color-scheme')
  const isDark = pinned === 'dark' || (pinned !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  dataset.mantineColorScheme = isDark ? 'dark' : 'light'

  const { pathname, search } = location
  // Those of pages.ts at which somebody who is signed in stays.
  const standsAlone = /^\/(claim|device|oauth|reset-password|sign-in\/finish)(\/|$)/.test(pathname) || /[?&]redirect_uri=/.test(search)
  if (pathname.startsWith('/widgets/')) dataset.firstPaint = 'nothing'
  else if (kept('rolocom.caller') !== null && !standsAlone)
    dataset.firstPaint = kept('rolocom.rail-narrow') === 'true' ? 'narrow frame' : 'frame'
})()
