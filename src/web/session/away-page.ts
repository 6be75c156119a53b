// The page that says that the server cannot be reached: a service worker (src/server/web/public) has it, because nothing else can be loaded then.

const worker = '/service-worker.js'

/** Keeps the page in this browser, for a person of the app. Does nothing where browsers allow no workers, as without TLS. */
export function keepAwayPage(): void {
  // Vite's own server has no such file.
  if (import.meta.env.PROD) navigator.serviceWorker?.register(worker).catch(() => null)
}

/** Removes it from this browser. */
export async function forgetAwayPage(): Promise<void> {
  const registered = await navigator.serviceWorker?.getRegistrations().catch(() => [])
  await Promise.all((registered ?? []).map(one => one.unregister()))
}
