// Parts of the app that are loaded later. With the server away a part waits until it is back: what is on the page stays, with what was typed,
// where an error would take its place. Every `import()` of the app goes through here; a test looks after it.

const againMs = 2000

/** Rejects only where the server answers: the part is gone, or broken. */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (await isThere()) throw error
    }
    do await new Promise(resolve => setTimeout(resolve, againMs))
    while (!(await isThere()))
    await loadStylesAgain()
  }
}

const isThere = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** A style sheet that has failed stays in the page and is not asked for a second time. */
async function loadStylesAgain(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(({ sheet }) => sheet === null)
  await Promise.all(
    failed.map(link => {
      const again = link.cloneNode() as HTMLLinkElement
      const ended = new Promise(resolve => {
        again.onload = resolve
        again.onerror = resolve
      })
      link.replaceWith(again)
      return ended
    }),
  )
}
