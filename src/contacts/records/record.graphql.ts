// GraphQL: what every record has beside its fields.

import type { FieldMap } from '@pothos/core'
import type { Selected } from '../../database/table.ts'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import type { builder } from '../../graphql/schema/builder.ts'
import { readsProperty, selected } from '../../graphql/schema/lists/selection.graphql.ts'
import { UserType } from '../../identity/users/user.graphql.ts'
import { userById } from '../../identity/users/user.ts'
import type { Actor } from '../../kernel/principal.ts'

type Types = typeof builder.$inferSchemaTypes

interface Row {
  id: string
  orgId: string
  ownerUserId: string | null
  createdBy: Actor
  createdAt: string
  updatedAt: string
  deletedAt: string | null
  version: number
}
type ListedRow = Selected<Row, 'id' | 'orgId' | 'createdAt' | 'updatedAt'>

/** The outputs behind the fields of a record: its owner, its times and its version. `noun`: as in `the contact`. */
export function recordOutputs<Of extends ListedRow>(given: PothosSchemaTypes.ObjectFieldBuilder<Types, Of>, noun: string): FieldMap {
  // `as`: TypeScript cannot infer a resolver's type for the generic row, which has all of these.
  const t = given as unknown as PothosSchemaTypes.ObjectFieldBuilder<Types, ListedRow>
  return {
    owner: t.field({
      type: UserType,
      nullable: true,
      description: `The member of the organization who looks after the ${noun}, for signed-in users and guests; null also for one who has left.`,
      extensions: readsProperty('ownerUserId'),
      resolve(row, _args, context) {
        const id = selected('ownerUserId')(row)
        const { kind } = context.principal
        return id !== null && (kind === 'session' || kind === 'guest') ? userById(context, id) : null
      },
    }),
    createdBy: t.field({ type: ActorType, description: `The actor who added the ${noun}.`, resolve: selected('createdBy') }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was deleted; null while it lives.',
      resolve: selected('deletedAt'),
    }),
    version: t.int({
      description: 'Counts the changes, from 1. A change can name the version it is meant for.',
      resolve: selected('version'),
    }),
  }
}
