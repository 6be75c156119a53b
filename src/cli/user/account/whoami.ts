// whoami: the server, the user or API key, and the organizations.

import type { Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { isForPeople, printJson } from '../output/print.ts'
import { printFields } from '../output/table.ts'
import { askGraphql } from '../session/graphql.ts'
import { requireSignIn } from '../session/server.ts'

interface Me {
  id: string
  userId: string
  name: string | null
  email: string | null
  organizations: { id: string; name: string; role: string | null }[]
}

const query = '{ me { id userId name email organizations { id name role } } }'

export async function whoami(this: Terminal, flags: CommonFlags): Promise<void> {
  const { url, token } = requireSignIn(this.environment, flags)
  const { me } = await askGraphql<{ me: Me }>(this, flags, { query })
  const credential = token.startsWith('rcm_') ? 'API key' : 'session'
  if (!isForPeople(this, flags)) return printJson(this, { url, credential, ...me })
  printFields(this, [
    ['server', url],
    ['credential', credential],
    ['user', [me.name, me.email && `<${me.email}>`].filter(Boolean).join(' ') || me.userId],
    ...me.organizations.map(
      ({ id, name, role }) => ['organization', `${name} (${[role?.toLowerCase(), id].filter(Boolean).join(', ')})`] as const,
    ),
  ])
}
