// Loads parts of the app on demand. While the server cannot be reached, loading waits: the page keeps its content and typed text, where an error
// would replace them. A test checks that every `import()` of the app goes through here.

const againMs = 2000

/** Loads a part. Rejects only when the server answers: the part is then missing or broken. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
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

/** Loads failed style sheets again. A failed sheet stays in the page, and the browser would not request it a second time. */
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
