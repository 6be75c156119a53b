// The command lines of `rolocom login`, `logout` and `whoami`.

import { buildCommand } from '@stricli/core'
import { commonFlags, flag, listFlags, serverFlags } from '../flags.ts'

const { url, json } = commonFlags

export const login = buildCommand({
  loader: async () => (await import('./login.ts')).login,
  parameters: { flags: { url, json, noBrowser: flag('Open no browser: show the address and the code alone') } },
  docs: {
    brief: 'Sign in to a server',
    fullDescription:
      'Shows a code, which you enter at the server in a browser, on this machine or another. The session is kept in a file that only\nyou can read, for each server one: below XDG_CONFIG_HOME or ~/.config, ~/Library/Application Support, or %APPDATA%.\nROLOCOM_URL and ROLOCOM_API_KEY take precedence over it.',
    customUsage: [{ input: '--url https://crm.example.com', brief: 'commands ask this server from now on' }],
  },
})

export const logout = buildCommand({
  loader: async () => (await import('./logout.ts')).logout,
  parameters: { flags: { url } },
  docs: { brief: 'End the session and forget it', customUsage: [{ input: '', brief: 'at the server of the last login' }] },
})

export const whoami = buildCommand({
  loader: async () => (await import('./whoami.ts')).whoami,
  parameters: { flags: { ...serverFlags, json } },
  docs: { brief: 'Show who is signed in, and where', customUsage: [{ input: '--json', brief: 'as JSON' }] },
})

export const credits = buildCommand({
  loader: async () => (await import('./credits.ts')).credits,
  parameters: { flags: { ...listFlags, transactions: flag('Grants and expenses, newest first') } },
  docs: {
    brief: 'Show what there is to spend',
    customUsage: [{ input: '--transactions --limit 10', brief: 'the last entries of the ledger' }],
  },
})
