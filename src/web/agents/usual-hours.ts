// Calling hours of an organization that is new to calls: weekdays from 9 to 18. The API has no hours by default, because its calls are dialled at
// once; a person who makes the first agent here does not expect it to ring at night.

import { type Client, useClient } from 'urql'
import { AgentsBeforeDocument, SetUsualHoursDocument } from '../generated/documents/agents.ts'
import { viewersZone } from '../session/preferences.ts'

/** Sets the usual hours if this is the organization's first agent and it has no hours. Resolves with whether it has. */
async function setUsualHours(client: Client): Promise<boolean> {
  const { data } = await client.query(AgentsBeforeDocument, {}, { requestPolicy: 'network-only' }).toPromise()
  const hours = data?.voiceSettings.callingHours
  const isFirst = data?.voiceAgents.nodes.length === 1
  if (!isFirst || hours?.from !== null || hours.days.length < 7) return false
  // A country with one time zone has set it; otherwise it is the person's.
  const defaultTimezone = data?.voiceSettings.defaultTimezone === 'UTC' ? viewersZone() : null
  const written = await client.mutation(SetUsualHoursDocument, { defaultTimezone }).toPromise()
  return written.error === undefined
}

export function useUsualHours(): () => Promise<boolean> {
  const client = useClient()
  return () => setUsualHours(client)
}
