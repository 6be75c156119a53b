// The addresses of a call's conversation, as its carrier opens them.

import type { Config } from '../../../config/environment.ts'

/** The address of a socket. */
export const relayUrl = ({ PUBLIC_URL = '' }: Pick<Config, 'PUBLIC_URL'>, token: string): string =>
  `${PUBLIC_URL.replace(/^http/, 'ws')}/voice/relay/${token}`
