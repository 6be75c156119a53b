// The setup of a new organization: its steps, and which of them are done.

import { useRead } from '../data/use-read.ts'
import { OpenInvitationsDocument, StartDocument } from '../generated/documents/home.ts'
import { useMe } from '../session/use-me.ts'

export type StepName = 'organization' | 'contacts' | 'agent' | 'call' | 'colleague'

interface Step {
  name: StepName
  isDone: boolean
}

export interface Start {
  isEmpty: boolean
  /** The steps that the person's role may take, in their order. */
  steps: Step[]
  /** Whether there is sample data, and the person's role may remove it. */
  hasSampleData: boolean
  mayManage: boolean
  /** The voice agent to hear; a trial starts if it is active. Null before there is one. */
  agent: { id: string; isActive: boolean } | null
}

// Names that the server gives, see `ownName` of the first start and `createSession`.
const givenName = /^My organization$|'s organization$/

/** Null while it is read, and for guests. */
export function useStart(): Start | null {
  const { isGuest, mayWrite, organization: own } = useMe()
  const mayManage = own?.role === 'OWNER' || own?.role === 'ADMIN'
  const { data } = useRead(StartDocument, {}, { isOn: !isGuest })
  const invited = useRead(OpenInvitationsDocument, {}, { isOn: mayManage }).data?.invitations
  if (!data?.organization || !mayWrite) return null
  const { organization, contacts, voiceAgents, activeAgents, calls, trials } = data
  const [active, made] = [activeAgents.nodes[0], voiceAgents.nodes[0]]
  const hasColleague = (organization.members?.nodes.length ?? 0) > 1
  const isInvited = invited?.some(({ usedAt, revokedAt }) => !usedAt && !revokedAt) ?? false
  const managed: Step[] = [
    { name: 'organization', isDone: organization.country !== null && !givenName.test(organization.name) },
    { name: 'colleague', isDone: hasColleague || isInvited },
  ]
  const common: Step[] = [
    { name: 'contacts', isDone: contacts.nodes.length > 0 },
    { name: 'agent', isDone: voiceAgents.nodes.length > 0 },
    { name: 'call', isDone: calls.nodes.length > 0 || trials.nodes.length > 0 },
  ]
  const [first, last] = managed
  return {
    isEmpty: contacts.nodes.length === 0,
    hasSampleData: mayManage && organization.hasSampleData,
    mayManage,
    steps: mayManage && first && last ? [first, ...common, last] : common,
    agent: active ? { id: active.id, isActive: true } : made ? { id: made.id, isActive: false } : null,
  }
}
