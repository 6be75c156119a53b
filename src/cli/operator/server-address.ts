// The address of the running server, kept in DATA_DIR for commands that print links to it: their PORT is not always the server's.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/environment.ts'

const pathIn = ({ DATA_DIR }: Config) => join(DATA_DIR, 'server-address.txt')

/** Keeps the address until the returned function is called. If several servers use the folder, the address of the last start is kept. */
export function keepAddress(config: Config, url: string): () => void {
  const path = pathIn(config)
  try {
    mkdirSync(config.DATA_DIR, { recursive: true })
    writeFileSync(path, `${url}\n`)
  } catch {
    // A folder that cannot be written to: commands name the address that they assume.
  }
  return () => {
    if (readStoredAddress(config) === url) rmSync(path, { force: true })
  }
}

export interface ServerAddress {
  url: string
  /** Whether it is known to be the server's: a setting, or kept by the server, which answers there. */
  isCertain: boolean
}

/** PUBLIC_URL, or where the running server answers, or else where HOST and PORT of this command are. */
export async function serverAddress(config: Config): Promise<ServerAddress> {
  if (config.PUBLIC_URL) return { url: config.PUBLIC_URL, isCertain: true }
  const own = readStoredAddress(config)
  if (own !== null && (await answers(own))) return { url: own, isCertain: true }
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  return { url: `http://${host}:${config.PORT}`, isCertain: false }
}

function readStoredAddress(config: Config): string | null {
  try {
    const url = readFileSync(pathIn(config), 'utf8').trim()
    return URL.canParse(url) ? url : null
  } catch {
    return null
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
