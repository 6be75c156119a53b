// The service worker of the app: where a page cannot be loaded, it answers with one that says so. It stores nothing. Pages, parts and data always
// come from the server, so a new release arrives at once, and nothing of a person stays in the browser.

const words = {
  en: {
    offline: 'You are offline',
    away: 'Rolocom cannot be reached',
    sentence: 'This page continues by itself as soon as there is a connection.',
    again: 'Try again',
  },
  de: {
    offline: 'Sie sind offline',
    away: 'Rolocom ist nicht erreichbar',
    sentence: 'Diese Seite geht von selbst weiter, sobald wieder eine Verbindung besteht.',
    again: 'Noch einmal versuchen',
  },
}
// What a proxy answers while the server behind it is away.
const awayStatuses = [502, 504]

addEventListener('install', () => skipWaiting())
addEventListener('activate', event =>
  // The browser requests a page while it starts this worker, and does not wait for it.
  event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()])),
)

addEventListener('fetch', event => {
  const { request, preloadResponse } = event
  const isPage = request.method === 'GET' && request.destination === 'document' && !new URL(request.url).pathname.startsWith('/api/')
  if (isPage) event.respondWith(pageOf(request, preloadResponse))
})

async function pageOf(request, preloaded) {
  try {
    const answer = (await preloaded) ?? (await fetch(request))
    return awayStatuses.includes(answer.status) ? awayPage() : answer
  } catch {
    return awayPage()
  }
}

function awayPage() {
  const nonce = crypto.randomUUID()
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, 'cache-control': 'no-store' }
  return new Response(markup(nonce), { status: 503, headers })
}

// Without links to files, which cannot be loaded either. Colours are those of first-paint.css.
const markup = nonce => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
  <title>Rolocom</title>
  <style nonce="${nonce}">
    :root { color-scheme: light dark; }
    :root[data-scheme="light"] { color-scheme: light; }
    :root[data-scheme="dark"] { color-scheme: dark; }
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#fbfaf6, #121514);
      color: light-dark(#1c211f, #e8ecea); font: 16px / 1.5 system-ui, sans-serif; }
    main { max-width: 22rem; padding: 24px; text-align: center; }
    svg { width: 56px; height: 56px; }
    h1 { margin: 16px 0 8px; font-size: 20px; line-height: 28px; }
    p { margin: 0 0 24px; color: light-dark(#5f6763, #9ba5a0); }
    button { min-height: 44px; padding: 0 20px; border: 0; border-radius: 6px; background: #1f5c4a; color: #fff; font: inherit; cursor: pointer; }
  </style>
</head>
<body>
  <main>
    <svg viewBox="0 0 48 48" aria-hidden="true"><rect width="48" height="48" rx="11" fill="#1f3d36"/><path d="M14 34v-3.5c0-4.2 4.5-7 10-7s10 2.8 10 7V34" fill="none" stroke="#f4efe4" stroke-width="3.4" stroke-linecap="round"/><circle cx="24" cy="16" r="5.6" fill="#f0a35e"/></svg>
    <div role="status">
      <h1></h1>
      <p></p>
    </div>
    <button type="button"></button>
  </main>
  <script nonce="${nonce}">(${begin})(${JSON.stringify(words)})</script>
</body>
</html>
`

// Runs in the page, which alone knows what this browser has chosen, and whether it is connected.
function begin(words) {
  const kept = key => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const language = kept('rolocom.language') === 'de' ? 'de' : 'en'
  const { offline, away, sentence, again } = words[language]
  document.documentElement.lang = language
  document.documentElement.dataset.scheme = kept('rolocom.color-scheme') ?? ''
  const show = () => {
    document.querySelector('h1').textContent = navigator.onLine ? away : offline
  }
  show()
  document.querySelector('p').textContent = sentence
  const button = document.querySelector('button')
  button.textContent = again
  button.onclick = () => location.reload()
  addEventListener('offline', show)
  addEventListener('online', show)
  setInterval(
    () =>
      fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
        ({ ok }) => ok && location.reload(),
        () => null,
      ),
    2000,
  )
}
