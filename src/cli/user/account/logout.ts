// logout: ends the session at the server, and forgets it here.

import { isRolocomError } from '../../../client/errors.ts'
import { CommandError, type Terminal } from '../../terminal.ts'
import { say } from '../output/print.ts'
import { connectTo } from '../session/connect.ts'
import { type ServerFlags, serverOf } from '../session/server.ts'
import { forgetSignIn, readStore } from '../session/store.ts'

/** Throws CommandError where the server could not be told: the session is forgotten all the same. */
export async function logout(this: Terminal, flags: Pick<ServerFlags, 'url'>): Promise<void> {
  const { url } = serverOf(this.environment, flags)
  const kept = readStore(this.environment).servers[url]
  if (!kept) return say(this, `Not signed in to ${url}`)
  forgetSignIn(this.environment, url)
  try {
    await connectTo({ url, token: kept.token, organizationId: null }).delete('/api/auth/session')
  } catch (error) {
    // Ended already.
    if (isRolocomError(error) && error.code === 'unauthenticated') return say(this, `Signed out of ${url}`)
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`The session is forgotten here, but may still be open at the server: ${reason}`)
  }
  say(this, `Signed out of ${url}`)
}
