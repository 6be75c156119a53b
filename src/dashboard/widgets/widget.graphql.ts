// GraphQL: the widgets of a dashboard, and the mutations that arrange them.

import { builder, inputOfId, nullOnError } from '../../graphql/schema/builder.ts'
import { CalendarUnitEnum, GroupsType } from '../../graphql/schema/lists/grouping.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import { CallStatsType } from '../../voice/stats/stats.graphql.ts'
import { readWidgetData } from './data.ts'
import { groupings, kindNamed, type WidgetItem, type WidgetItems, type WidgetKind, widgetKinds } from './kind.ts'
import { type KeyName, namesOfKeys } from './names.ts'
import { addWidget, type DashboardWidget, getWidget, listWidgets, moveWidget, removeWidget, tellsOfWidget, updateWidget } from './widget.ts'

const kinds = Object.keys(widgetKinds) as WidgetKind[]

const KindEnum = builder.enumType('DashboardWidgetKind', {
  description: 'Kind of a widget.',
  values: Object.fromEntries(kinds.map(kind => [kind.toUpperCase(), { value: kind, description: kindNamed(kind).description }])),
})

const kindsWith = (grouping: string) =>
  kinds.flatMap(kind => (kindNamed(kind).groupings?.some(one => one === grouping) ? [kind.toUpperCase()] : []))

const GroupingEnum = builder.enumType('DashboardWidgetGrouping', {
  description: 'The field that the rows of a widget are counted by.',
  values: Object.fromEntries(
    groupings.map(grouping => [grouping.toUpperCase(), { value: grouping, description: `For ${kindsWith(grouping).join(', ')}.` }]),
  ),
})

const ItemType = builder.objectRef<WidgetItem>('DashboardWidgetItem').implement({
  description: 'A row of a widget.',
  fields: t => ({
    entityId: t.exposeID('entityId', { description: 'The id of its subject, for `node`.' }),
    title: t.exposeString('title', { description: 'First line.' }),
    detail: t.exposeString('detail', { nullable: true, description: 'Second line.' }),
    at: t.expose('at', { type: 'DateTime', nullable: true, description: 'When it happened, or is due.' }),
  }),
})

const ItemsType = builder.objectRef<WidgetItems>('DashboardWidgetItems').implement({
  description: 'The newest or the next of something, at most ten.',
  fields: t => ({ items: t.expose('items', { type: [ItemType], description: 'The rows.' }) }),
})

const KeyNameType = builder.objectRef<KeyName>('DashboardWidgetKeyName').implement({
  description: 'The name of a key.',
  fields: t => ({
    key: t.exposeString('key', { description: 'The key: the id of a user, voice agent or stage.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
})

const DataUnion = builder.unionType('DashboardWidgetData', {
  description:
    'Data of a widget: Groups for charts over time and breakdowns, CallStats for ANSWER_RATE, DashboardWidgetItems for the others.',
  types: [GroupsType, CallStatsType, ItemsType],
  resolveType: data => ('groups' in data ? 'Groups' : 'items' in data ? 'DashboardWidgetItems' : 'CallStats'),
})

export const DashboardWidgetType = builder.objectRef<DashboardWidget>('DashboardWidget').implement({
  description: 'A part of a dashboard.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    kind: t.expose('kind', { type: KindEnum, description: 'Its kind.' }),
    title: t.exposeString('title', { nullable: true, description: 'The title that its user gave it; null for the name of its kind.' }),
    rangeDays: t.exposeInt('rangeDays', {
      nullable: true,
      description: 'How many days it is about, today included; of TASKS_DUE the days to come. Null for all time.',
    }),
    per: t.expose('per', { type: CalendarUnitEnum, nullable: true, description: 'Of one over time: how long its groups are.' }),
    groupBy: t.expose('groupBy', {
      type: GroupingEnum,
      nullable: true,
      description: 'The field that it counts by; over time, a further one.',
    }),
    position: t.exposeInt('position', { description: 'Its place in the dashboard, from 0.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was added; null while it is a default one.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last changed; null while it is a default one.',
    }),
    data: t.field({
      type: DataUnion,
      nullable: true,
      // 0.05: a whole dashboard fits into an operation. Each is read once, and groupings of an organization follow each other.
      extensions: { ...nullOnError, costShare: 0.05 },
      description: 'Its data now. Null with an error at its path where it cannot be read; the other widgets are there.',
      args: {
        timezone: t.arg.string({
          defaultValue: 'UTC',
          description: 'In which days and longer units are counted: `Area/City` as the IANA database names it, or `UTC`.',
        }),
      },
      resolve: (widget, { timezone }, context) => readWidgetData(context, widget, timezone ?? 'UTC'),
    }),
    names: t.field({
      type: [KeyNameType],
      nullable: true,
      // 10: it needs its data, which is read once for both fields. The cost counts for each name of a list.
      extensions: { ...nullOnError, complexity: 10 },
      description:
        'The names of the owners, voice agents or stages among the keys of its data. Those who have left have none. Stages are in the order of their pipelines, those without deals included.',
      args: { timezone: t.arg.string({ defaultValue: 'UTC', description: 'The one that its data is read with.' }) },
      resolve: (widget, { timezone }, context) => namesOfKeys(context, widget, timezone ?? 'UTC'),
    }),
  }),
})

builder.queryFields(t => ({
  dashboardWidgets: t.field({
    type: [DashboardWidgetType],
    description:
      "The widgets of the user's dashboard in the organization, in their order; the default ones until the first change, and for guests. FORBIDDEN for other credentials.",
    authScopes: { someone: true },
    resolve: (_parent, _args, context) => listWidgets(context),
  }),
  dashboardWidget: t.field({
    type: DashboardWidgetType,
    nullable: true,
    description: "A widget of the user's dashboard; null with NOT_FOUND for another.",
    authScopes: { someone: true },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_parent, { id }, context) => getWidget(context, id),
  }),
}))

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const configurationFields = (t: InputFields) => ({
  title: t.string({ description: 'At most 100 characters. Default: the name of its kind.' }),
  rangeDays: t.int({ description: 'Range in days, 1 to 730. Default: the range of its kind.' }),
  per: t.field({ type: CalendarUnitEnum, description: 'Of one over time: how long its groups are. Default: DAY.' }),
  groupBy: t.field({ type: GroupingEnum, description: 'The field that it counts by. Default: the field of its kind.' }),
})

const AddInput = builder.inputType('AddDashboardWidgetInput', {
  description: 'A widget to add.',
  fields: t => ({
    kind: t.field({ type: KindEnum, required: true, description: 'Its kind.' }),
    position: t.int({ description: 'Its place, from 0. Default: the last.' }),
    ...configurationFields(t),
  }),
})

const UpdateInput = builder.inputType('UpdateDashboardWidgetInput', {
  description: 'Changes of a widget: an absent field stays as it is, null resets it to the default of its kind.',
  fields: t => ({ id: t.id({ required: true, description: "The widget's id." }), ...configurationFields(t) }),
})

const MoveInput = builder.inputType('MoveDashboardWidgetInput', {
  description: 'Where to put a widget.',
  fields: t => ({
    id: t.id({ required: true, description: "The widget's id." }),
    position: t.int({ required: true, description: 'Its place among all, from 0; behind the last one, the last.' }),
  }),
})

builder.mutationFields(t => ({
  addDashboardWidget: t.field({
    type: DashboardWidgetType,
    description: "Adds a widget to the user's dashboard, which has at most 20.",
    authScopes: { role: 'viewer' },
    effect: { undoneBy: 'removeDashboardWidget' },
    args: { input: t.arg({ type: AddInput, required: true, description: 'The widget.' }) },
    resolve: (_parent, { input }, context) => addWidget(context, input),
  }),
  updateDashboardWidget: t.field({
    type: DashboardWidgetType,
    description: "Changes a widget of the user's dashboard.",
    authScopes: { role: 'viewer' },
    effect: { overwrites: true, undoneBy: 'updateDashboardWidget with the former values', isIdempotent: true },
    args: { input: t.arg({ type: UpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateWidget(context, input),
  }),
  moveDashboardWidget: t.field({
    type: [DashboardWidgetType],
    description: 'Moves a widget, and answers all of the dashboard in their order.',
    authScopes: { role: 'viewer' },
    effect: { overwrites: true, undoneBy: 'moveDashboardWidget back', isIdempotent: true },
    args: { input: t.arg({ type: MoveInput, required: true, description: 'Where to put it.' }) },
    resolve: (_parent, { input }, context) => moveWidget(context, input),
  }),
  removeDashboardWidget: t.field({
    type: DashboardWidgetType,
    description: "Removes a widget from the user's dashboard, and answers it. The keys that read it end.",
    authScopes: { role: 'viewer' },
    effect: { overwrites: true },
    args: inputOfId('RemoveDashboardWidgetInput', 'A widget to remove.'),
    resolve: (_parent, { input }, context) => removeWidget(context, input.id),
  }),
}))

noun('dashboard_widget', null, { mayRead: users, isOwn: tellsOfWidget })
