// Words about people: who did something, roles in an organization, and a person's settings.

import type { ActorType, OrganizationRole } from '../../generated/schema.ts'
import { room } from '../language.ts'

export const peopleWords = room('people', {
  noMail: 'This installation sends no mail. Choose a link instead: you copy it and pass it on yourself.',
  actor: {
    USER: 'Somebody',
    AGENT: 'Assistant',
    API_KEY: 'API key',
    HOOK: 'Incoming webhook',
    SERVICE: 'Connected service',
    SYSTEM: 'Rolocom',
    GUEST: 'Guest',
    ANONYMOUS: 'Not signed in',
  } satisfies Record<ActorType, string>,
  role: { OWNER: 'Owner', ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer', GUEST: 'Guest' } satisfies Record<OrganizationRole, string>,
  formerMember: 'A former member',
  forAccounts: (what: string) => `${what} belong to an account. You look around as a guest.`,
  signUp: 'Sign up',
})
