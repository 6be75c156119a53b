// login: signs in by a code that the user types in a browser (RFC 8628), and keeps the session.

import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { Answer } from '../../../client/endpoints.ts'
import { isRolocomError } from '../../../client/errors.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import { isForPeople, type OutputFlags, printJson, printLine, say } from '../output/print.ts'
import { connectAsNobody } from '../session/connect.ts'
import { type ServerFlags, serverOf } from '../session/server.ts'
import { keepSignIn, storePath } from '../session/store.ts'

export interface Flags extends Pick<ServerFlags, 'url'>, OutputFlags {
  noBrowser?: boolean
}

type Device = Answer<'post', '/api/auth/device'>
type Session = Answer<'post', '/api/auth/session'>

// The addition of RFC 8628, 3.5.
const slowDownSeconds = 5

export async function login(this: Terminal, flags: Flags): Promise<void> {
  const { url } = serverOf(this.environment, flags)
  const client = connectAsNobody(url)
  const device = await client.post('/api/auth/device', { body: { client_name: `Rolocom on ${hostname()}`.slice(0, 100) } })
  say(this, `Open ${device.verification_uri} and enter the code ${device.user_code}`)
  if (this.process.stderr.isTTY && !flags.noBrowser) await openBrowser(this, device.verification_uri_complete)
  const session = await waitForApproval(client, device)
  keepSignIn(this.environment, url, { token: session.session_token, userId: session.user_id, expiresAt: session.expires_at })
  if (!isForPeople(this, flags)) return printJson(this, { url, user_id: session.user_id, expires_at: session.expires_at })
  printLine(this, `Signed in to ${url}. The session is kept in ${storePath(this.environment)}`)
}

/** Asks until the user has decided. */
async function waitForApproval(client: Client, { device_code, interval }: Device): Promise<Session> {
  for (let seconds = interval; ; ) {
    await sleep(seconds * 1000)
    try {
      return await client.post('/api/auth/session', { body: { device_code } })
    } catch (error) {
      if (!isRolocomError(error)) throw error
      if (error.code === 'slow_down') seconds += slowDownSeconds
      else if (error.code === 'access_denied') throw new CommandError('The sign-in was denied in the browser', exitStatus.notSignedIn)
      else if (error.code === 'expired_token')
        throw new CommandError('The code was not entered in time: run rolocom login again', exitStatus.notSignedIn)
      else if (error.code !== 'authorization_pending') throw error
    }
  }
}

/** Opens the page with the code. Without a browser the user has the address and the code. */
async function openBrowser(terminal: Terminal, address: string): Promise<void> {
  const { default: open } = await import('open')
  const noBrowser = () => say(terminal, 'No browser could be opened here')
  try {
    const browser = await open(address)
    browser.on('error', noBrowser)
  } catch {
    noBrowser()
  }
}
