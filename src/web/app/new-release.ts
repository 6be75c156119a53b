// A page that is older than its server cannot load its other parts: the server no longer has them. Reloading fetches the new release.

const reloadedKey = 'rolocom.reloaded'

/** Reloads when a part cannot be loaded, at most once for each release: a part that is really missing then shows its error. */
export function reloadForNewRelease(): void {
  window.addEventListener('vite:preloadError', () => {
    // The address of this module contains the hash of the release.
    if (sessionStorage.getItem(reloadedKey) === import.meta.url) return
    // While the server cannot be reached the page stays, with its data and typed text.
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
