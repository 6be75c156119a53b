// The names of the owners, voice agents and stages that a widget counts by, whose keys are ids.

import { namedStages } from '../../contacts/pipelines/named.ts'
import { loadUsers } from '../../identity/users/user.ts'
import type { Context } from '../../kernel/context.ts'
import { loadAgents } from '../../voice/agents/agent.ts'
import { readWidgetData } from './data.ts'
import { kindNamed } from './kind.ts'
import type { DashboardWidget } from './widget.ts'

export interface KeyName {
  key: string
  name: string
}

type Keyed = 'owner_user_id' | 'voice_agent_id' | 'stage'

/** Owners who have left, and other fields, have no names here. Stages are in the order of their pipelines. */
export async function namesOfKeys(caller: Context, widget: DashboardWidget, timezone: string): Promise<KeyName[]> {
  const keyed = keysOf(widget)
  if (keyed === null) return []
  const data = await readWidgetData(caller, widget, timezone)
  if (!('groups' in data)) return []
  // Over time, the first key is the day.
  const keys = [...new Set(data.groups.flatMap(group => group.keys[widget.per === null ? 0 : 1] ?? []))]
  return names[keyed](widget.readAs ?? caller, keys)
}

function keysOf({ kind, groupBy }: DashboardWidget): Keyed | null {
  const { keys } = kindNamed(kind)
  if (keys) return keys
  return groupBy === 'owner_user_id' || groupBy === 'voice_agent_id' ? groupBy : null
}

/** The names of keys, which are ids. */
const names: Readonly<Record<Keyed, (context: Context, keys: readonly string[]) => Promise<KeyName[]>>> = {
  async owner_user_id(context, keys) {
    const users = await loadUsers(context, keys)
    return users.flatMap(user => (user ? [{ key: user.id, name: user.name ?? user.email ?? '' }] : []))
  },
  async voice_agent_id(context, keys) {
    const agents = await loadAgents(context, keys)
    return agents.flatMap(agent => (agent && !(agent instanceof Error) ? [{ key: agent.id, name: agent.name }] : []))
  },
  stage: namedStages,
}
