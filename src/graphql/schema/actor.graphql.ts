// The GraphQL type Actor: who caused a change.

import type { Actor } from '../../kernel/principal.ts'
import { builder } from './builder.ts'

const ActorTypeEnum = builder.enumType('ActorType', {
  description: 'Kind of an actor.',
  values: {
    API_KEY: { value: 'api_key', description: 'An integration with an API key.' },
    USER: { value: 'user', description: 'A signed-in person.' },
    SERVICE: { value: 'service', description: 'Another backend, with the shared secret.' },
    GUEST: { value: 'guest', description: 'A visitor of the demo organization.' },
    HOOK: { value: 'hook', description: 'The sender of a hook.' },
    AGENT: { value: 'agent', description: 'An agent at work on a run of the gateway.' },
    SYSTEM: { value: 'system', description: 'The product itself: tasks and seeds.' },
    ANONYMOUS: { value: 'anonymous', description: 'Nobody in particular.' },
  } as const,
})

export const ActorType = builder.objectRef<Actor>('Actor').implement({
  description: 'The actor of a write, as known at that time.',
  fields: t => ({
    type: t.expose('type', { type: ActorTypeEnum, description: 'Kind of the actor.' }),
    actorId: t.exposeID('id', { nullable: true, description: 'The id of the API key, user or run; null for the product itself.' }),
    name: t.exposeString('name', { nullable: true, description: 'The label of the key or the name of the user at that time.' }),
  }),
})
