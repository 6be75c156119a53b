// inbox preferences: how the member learns of each kind of items, shown or changed.

import type { Answer, Input } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { isForPeople, printJson } from '../output/print.ts'
import { type Column, printFields, printTable } from '../output/table.ts'
import { connect } from '../session/connect.ts'
import type { Choices } from './commands.ts'

type Preferences = Answer<'get', '/api/crm/v1/inbox-preferences'>
type Change = Input<'patch', '/api/crm/v1/inbox-preferences'>['body']

const onOff = (value: boolean) => (value ? 'on' : 'off')
const columns: readonly Column<Preferences['kinds'][number]>[] = [
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'LIST', of: ({ inbox }) => onOff(inbox) },
  { title: 'TOAST', of: ({ toast }) => onOff(toast) },
  { title: 'BROWSER', of: ({ browser }) => onOff(browser) },
  { title: 'MAIL', of: ({ mail }) => mail },
]

export async function preferences(this: Terminal, flags: CommonFlags & Choices & { dryRun?: boolean }): Promise<void> {
  const path = '/api/crm/v1/inbox-preferences'
  const body = changeOf(flags)
  const client = connect(this, flags)
  const answer =
    Object.keys(body).length === 0 ? await client.get(path) : await client.patch(path, { body, query: { dry_run: flags.dryRun } })
  if (!isForPeople(this, flags) || !('kinds' in answer)) return printJson(this, answer)
  const { kinds, ...others } = answer
  printTable(this, columns, kinds, 'No kinds')
  printFields(this, Object.entries(others))
}

function changeOf({ kind, list, toast, browser, mail, hour }: Choices): Change {
  const isOn = (value: 'on' | 'off') => value === 'on'
  return {
    // The server names the kinds that there are.
    ...(kind !== undefined && { kinds: [kind as NonNullable<Change['kinds']>[number]] }),
    ...(list && { inbox: isOn(list) }),
    ...(toast && { toast: isOn(toast) }),
    ...(browser && { browser: isOn(browser) }),
    ...(mail && { mail }),
    ...(hour !== undefined && { digest_hour: hour }),
  }
}
