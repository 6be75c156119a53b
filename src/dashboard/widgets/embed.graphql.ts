// GraphQL: keys of widgets, and the query that reads a widget with one.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { type CreatedWidgetKey, listWidgetKeys, revokeWidgetKey, type WidgetKey } from '../../identity/keys/widget-key.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import { createWidgetKey, embeddedWidget } from './embed.ts'
import { DashboardWidgetType } from './widget.graphql.ts'
import { tellsOfWidget } from './widget.ts'

const WidgetKeyType = builder.objectRef<WidgetKey>('WidgetKey').implement({
  description:
    'A key with which a page elsewhere reads one widget, and nothing else. It ends with the widget, and with the membership of its maker.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, for revoking it.' }),
    widgetId: t.exposeID('widgetId', { description: 'The widget that it reads.' }),
    label: t.exposeString('label', { description: 'Its purpose.' }),
    last4: t.exposeString('last4', { description: 'Its last 4 characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'When it was last used, to the minute.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
  }),
})

const CreatedWidgetKeyType = builder.objectRef<CreatedWidgetKey>('CreatedWidgetKey').implement({
  description: 'A key just made.',
  fields: t => ({
    widgetKey: t.expose('widgetKey', { type: WidgetKeyType, description: 'The key without its secret.' }),
    key: t.exposeString('key', {
      description: 'The key, for the address `/widgets/<id>#key=<key>`. Shown this once; it cannot be recovered.',
      extensions: { isSecret: true },
    }),
  }),
})

builder.queryFields(t => ({
  widgetKeys: t.field({
    type: [WidgetKeyType],
    description: "The keys of the user's widgets in the organization, newest first; of revoked ones the newest 200.",
    authScopes: { role: 'viewer' },
    resolve: (_parent, _args, context) => listWidgetKeys(context),
  }),
  embeddedWidget: t.field({
    type: DashboardWidgetType,
    nullable: true,
    description:
      'A widget, read with a key of its own: the only thing that such a key opens. NOT_FOUND for a key that is unknown, revoked or of another widget.',
    authScopes: { public: true },
    args: {
      id: t.arg.id({ required: true, description: "The widget's id." }),
      key: t.arg.string({ required: true, description: 'The key, as `createWidgetKey` showed it.' }),
    },
    resolve: (_parent, args, context) => embeddedWidget(context, args),
  }),
}))

const CreateWidgetKeyInput = builder.inputType('CreateWidgetKeyInput', {
  description: 'A key to make.',
  fields: t => ({
    widgetId: t.id({ required: true, description: "A widget of the user's dashboard." }),
    label: t.string({ required: true, description: 'Its purpose, 1 to 100 characters.' }),
  }),
})

builder.mutationFields(t => ({
  createWidgetKey: t.field({
    type: CreatedWidgetKeyType,
    description:
      "Makes a key with which a page elsewhere reads one widget of the user's dashboard, and never more than its maker may read by then. Pages that frame the widget's address have one of the organization's `embedOrigins`.",
    authScopes: { role: 'member' },
    effect: { undoneBy: 'revokeWidgetKey' },
    args: { input: t.arg({ type: CreateWidgetKeyInput, required: true, description: 'Its purpose.' }) },
    resolve: (_parent, { input }, context) => createWidgetKey(context, input),
  }),
  revokeWidgetKey: t.field({
    type: WidgetKeyType,
    description: 'Revokes a key for good. It is refused from the next request on.',
    authScopes: { role: 'viewer' },
    effect: { overwrites: true, isIdempotent: true },
    args: inputOfId('RevokeWidgetKeyInput', 'A key to revoke.'),
    resolve: (_parent, { input }, context) => revokeWidgetKey(context, input.id),
  }),
}))

noun('widget_key', null, { mayRead: users, isOwn: tellsOfWidget })
