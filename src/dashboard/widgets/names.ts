// The names of the owners and voice agents that a widget counts by, whose keys are ids.

import { loadUsers } from '../../identity/users/user.ts'
import type { Context } from '../../kernel/context.ts'
import { loadAgents } from '../../voice/agents/agent.ts'
import { readWidgetData } from './data.ts'
import type { DashboardWidget } from './widget.ts'

export interface KeyName {
  key: string
  name: string
}

/** Owners who have left, and other fields, have no names here. */
export async function namesOfKeys(caller: Context, widget: DashboardWidget, timezone: string): Promise<KeyName[]> {
  const { groupBy, per } = widget
  if (groupBy !== 'owner_user_id' && groupBy !== 'voice_agent_id') return []
  const data = await readWidgetData(caller, widget, timezone)
  if (!('groups' in data)) return []
  // Over time, the first key is the day.
  const keys = [...new Set(data.groups.flatMap(group => group.keys[per === null ? 0 : 1] ?? []))]
  const context = widget.readAs ?? caller
  if (groupBy === 'owner_user_id') {
    const users = await loadUsers(context, keys)
    return users.flatMap(user => (user ? [{ key: user.id, name: user.name ?? user.email ?? '' }] : []))
  }
  const agents = await loadAgents(context, keys)
  return agents.flatMap(agent => (agent && !(agent instanceof Error) ? [{ key: agent.id, name: agent.name }] : []))
}
