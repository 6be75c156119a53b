// Keeps what a test file opens until its tests have ended: `const app = await keepOpen(startApp())`.

import { afterAll } from 'vitest'

type Open = { close(): unknown } | { stop(): unknown } | { drop(): unknown } | { end(): unknown }

/** Closes it after the tests of the file. What was opened last is closed first. */
export async function keepOpen<Opened extends Open>(opening: Promise<Opened> | Opened): Promise<Opened> {
  const opened = await opening
  afterAll(() => close(opened))
  return opened
}

function close(opened: Open): unknown {
  if ('close' in opened) return opened.close()
  if ('stop' in opened) return opened.stop()
  return 'drop' in opened ? opened.drop() : opened.end()
}
