// A page that is older than its server: the parts it has not loaded yet are no longer there, and reloading brings the new ones.

const reloadedKey = 'rolocom.reloaded'

/** Reloads when a part cannot be loaded: once for each release, so that a part that is missing for good shows its error. */
export function reloadForNewRelease(): void {
  window.addEventListener('vite:preloadError', () => {
    // The address of this module has the release's hash.
    if (sessionStorage.getItem(reloadedKey) === import.meta.url) return
    // With the server away the page stays, with what has been read and typed.
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => {
        if (!ok) return
        sessionStorage.setItem(reloadedKey, import.meta.url)
        window.location.reload()
      },
      () => null,
    )
  })
}
