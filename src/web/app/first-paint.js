// Runs before the first paint, and writes facts to the document that only this browser knows: the colour scheme, pinned or from the system, and
// the shape of the coming page.
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
  // Pages of pages.ts that people can open while they are signed in.
  const standsAlone = /^\/(claim|device|oauth|reset-password|sign-in\/finish)(\/|$)/.test(pathname) || /[?&]redirect_uri=/.test(search)
  if (pathname.startsWith('/widgets/')) dataset.firstPaint = 'nothing'
  else if (kept('rolocom.caller') !== null && !standsAlone)
    dataset.firstPaint = kept('rolocom.rail-narrow') === 'true' ? 'narrow frame' : 'frame'
})()
