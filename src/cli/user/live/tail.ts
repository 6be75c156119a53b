// events tail: the organization's changes from now on, one a line.

import type { Change, ChangeType } from '../../../client/live.ts'
import { follow } from '../../../client/live.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { displayText, inStyle, isForPeople, printJsonLine, printLine, say } from '../output/print.ts'
import { optionsOf } from '../session/connect.ts'
import { requireSignIn } from '../session/server.ts'

export interface Flags extends CommonFlags {
  type?: string[]
  after?: string
}

export async function tail(this: Terminal, flags: Flags): Promise<void> {
  const server = requireSignIn(this.environment, flags)
  const types = flags.type?.map(typeOf)
  const changes = follow({
    ...optionsOf(server),
    ...(types && { types }),
    ...(flags.after !== undefined && { after: flags.after }),
    onReconnect: ({ message }, waitMs) => say(this, `${message}; asking again in ${Math.ceil(waitMs / 1000)} s`),
  })
  for await (const change of changes) {
    if (change.type === 'FOLLOWING') say(this, `Following ${server.url}; Ctrl-C ends it`)
    else if (isForPeople(this, flags)) printLine(this, lineOf(this, change))
    else printJsonLine(this, change)
  }
}

/** `contact.created`, `CONTACT_CREATED` and `contact_created` alike. The server knows which types there are. */
function typeOf(given: string): ChangeType {
  const name = given.toUpperCase().replaceAll('.', '_')
  if (!isName(name)) throw new CommandError(`"${given}" is not a type of change, such as CONTACT_CREATED`, exitStatus.usage)
  return name
}

// A newer server may have types that this release does not know, and refuses those that there are not.
const isName = (name: string): name is ChangeType => /^[A-Z][A-Z_]*$/.test(name)

function lineOf(terminal: Terminal, { type, createdAt, entityId, actor, changes }: Change): string {
  const changed = changes
    .map(({ field, before, after }) => `${field}: ${displayText(before) || '-'} → ${displayText(after) || '-'}`)
    .join(', ')
  const by = actor?.name ? `by ${displayText(actor.name)}` : ''
  return [createdAt.slice(11, 19), inStyle(terminal, 'bold', type), entityId, by, changed].filter(Boolean).join('  ')
}
