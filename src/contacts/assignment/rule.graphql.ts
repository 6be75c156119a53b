// GraphQL: the assignment rule of an organization.

import { builder } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { UserType } from '../../identity/users/user.graphql.ts'
import { loadUsers } from '../../identity/users/user.ts'
import { load } from '../../kernel/dataloaders.ts'
import { type AssignmentEntry, assignmentKinds } from './rule.sql.ts'
import { type AssignmentRule, assignmentRule, maxEntries, maxUsers, setAssignmentRule } from './rule.ts'

const values = 'Country codes such as DE, or sources as REST names them, such as `web`.'
const userIds = 'The members who get the other contacts, in turn. None: those stay without an owner.'

const AssignmentEntryType = builder.objectRef<AssignmentEntry>('AssignmentEntry').implement({
  description: 'The member who gets the new contacts of some countries or sources.',
  fields: t => ({
    values: t.stringList({ description: values, resolve: entry => [...entry.values] }),
    userId: t.exposeID('userId', { description: 'The id of the member.' }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The member.',
      resolve: ({ userId }, _args, context) => load(context, loadUsers, userId),
    }),
  }),
})

const AssignmentRuleType = builder.objectRef<AssignmentRule>('AssignmentRule').implement({
  description:
    'The rule that gives an owner to contacts that are added without one, through every door. Members who have left are skipped.',
  fields: t => ({
    kind: t.expose('kind', { type: enumOf(assignmentKinds), description: 'How they get an owner.' }),
    entries: t.field({
      type: [AssignmentEntryType],
      description: 'The members by country or source; none for other kinds.',
      resolve: ({ entries }) => [...entries],
    }),
    userIds: t.idList({ description: userIds, resolve: rule => [...rule.userIds] }),
  }),
})

const AssignmentEntryInput = builder.inputType('AssignmentEntryInput', {
  description: 'The member who gets the new contacts of some countries or sources.',
  fields: t => ({
    values: t.stringList({ required: true, description: values }),
    userId: t.id({ required: true, description: 'A member of the organization.' }),
  }),
})

const SetAssignmentRuleInput = builder.inputType('SetAssignmentRuleInput', {
  description: 'A rule in place of the former one.',
  fields: t => ({
    kind: t.field({ type: enumOf(assignmentKinds), required: true, description: 'How new contacts get an owner.' }),
    entries: t.field({
      type: [AssignmentEntryInput],
      description: 'The members by country or source. Each value stands once.',
      extensions: { maxItems: maxEntries },
    }),
    userIds: t.idList({ description: userIds, extensions: { maxItems: maxUsers } }),
  }),
})

builder.queryField('assignmentRule', t =>
  t.field({
    type: AssignmentRuleType,
    description: 'The rule by which new contacts get an owner.',
    authScopes: { scope: 'contacts:read' },
    resolve: (_parent, _args, context) => assignmentRule(context),
  }),
)

builder.mutationField('setAssignmentRule', t =>
  t.field({
    type: AssignmentRuleType,
    description: 'Says who becomes the owner of contacts that are added from then on without one.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'setAssignmentRule with the former rule', isIdempotent: true },
    args: { input: t.arg({ type: SetAssignmentRuleInput, required: true, description: 'The rule.' }) },
    resolve: (_parent, { input }, context) => setAssignmentRule(context, input),
  }),
)
