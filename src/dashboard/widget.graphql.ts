// GraphQL: the widgets of the dashboard.

import { builder, isInternal, nullOnError } from '../graphql/schema/builder.ts'
import { SeriesPointType, startOfDay } from '../graphql/schema/lists/series.graphql.ts'
import { readWidget, type Widget, type WidgetData, type WidgetOf } from './widget.ts'

const WidgetKindEnum = builder.enumType('WidgetKind', {
  description: 'The shape of a widget.',
  values: {
    NUMBER: { value: 'number', description: '`{ value, change }`' },
    SERIES: { value: 'series', description: '`{ points: [{ date, value }] }`' },
    TABLE: { value: 'table', description: '`{ columns, rows }`' },
    FEED: { value: 'feed', description: '`{ items: [{ id, text, at }] }`' },
  } as const,
})

const typenames: Readonly<Record<keyof WidgetData, string>> = {
  number: 'NumberWidget',
  series: 'SeriesWidget',
  table: 'TableWidget',
  feed: 'FeedWidget',
}

export const WidgetType = builder.interfaceRef<Widget>('Widget').implement({
  description: 'A part of a dashboard.',
  resolveType: ({ kind }) => typenames[kind],
  fields: t => ({
    name: t.exposeString('id', { description: 'Its name, always the same.' }),
    title: t.exposeString('title', { description: 'The heading that people see.' }),
    kind: t.expose('kind', { type: WidgetKindEnum, description: 'The shape of its data.', extensions: isInternal }),
    data: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Its data; null when it failed.',
      extensions: isInternal,
      resolve: async (widget, _args, context) => (await readWidget(context, widget)).data,
    }),
    error: t.string({
      nullable: true,
      description: 'Why it failed; null when it did not.',
      extensions: isInternal,
      resolve: async (widget, _args, context) => (await readWidget(context, widget)).error,
    }),
  }),
})

const WidgetNumber = builder.objectRef<WidgetData['number']>('WidgetNumber').implement({
  description: 'A figure.',
  fields: t => ({
    value: t.exposeFloat('value', {
      description:
        'The figure: a number of contacts, or for the answer rate the share of calls placed in the last 30 days that were answered, in percent.',
    }),
    change: t.exposeFloat('change', {
      description:
        'New contacts of the last 30 days; for the answer rate, how many percentage points it is above the rate of the 30 days before, 0 where one period has no calls.',
    }),
  }),
})

builder.objectRef<WidgetOf<'number'>>('NumberWidget').implement({
  description: 'A widget of one figure.',
  interfaces: [WidgetType],
  fields: t => ({
    number: t.field({
      type: WidgetNumber,
      nullable: true,
      extensions: nullOnError,
      description: 'Its figure; null with an error when it cannot be read.',
      resolve: (widget, _args, context) => widget.read(context),
    }),
  }),
})

builder.objectRef<WidgetOf<'series'>>('SeriesWidget').implement({
  description: 'A widget of one value for each day.',
  interfaces: [WidgetType],
  fields: t => ({
    series: t.field({
      type: [SeriesPointType],
      nullable: true,
      extensions: nullOnError,
      description: 'Its values, oldest first; null with an error when they cannot be read.',
      resolve: async (widget, _args, context) =>
        (await widget.read(context)).points.map(({ date, value }) => ({ at: startOfDay(date), value })),
    }),
  }),
})

const WidgetRow = builder.objectRef<WidgetData['table']['rows'][number]>('WidgetRow').implement({
  description: 'A row of a table.',
  fields: t => ({
    label: t.string({ description: 'Its subject.', resolve: ([label]) => label }),
    value: t.float({ description: 'Its value.', resolve: ([, value]) => value }),
  }),
})

const WidgetTable = builder.objectRef<WidgetData['table']>('WidgetTable').implement({
  description: 'A table of two columns.',
  fields: t => ({
    columns: t.exposeStringList('columns', { description: 'The headings of the labels and the values.' }),
    rows: t.expose('rows', { type: [WidgetRow], description: 'Its rows.' }),
  }),
})

builder.objectRef<WidgetOf<'table'>>('TableWidget').implement({
  description: 'A widget of a table.',
  interfaces: [WidgetType],
  fields: t => ({
    table: t.field({
      type: WidgetTable,
      nullable: true,
      extensions: nullOnError,
      description: 'Its table; null with an error when it cannot be read.',
      resolve: (widget, _args, context) => widget.read(context),
    }),
  }),
})

const FeedItem = builder.objectRef<WidgetData['feed']['items'][number]>('FeedItem').implement({
  description: 'Something that happened.',
  fields: t => ({
    entityId: t.exposeID('id', { description: 'The id of its subject, for `node`.' }),
    text: t.exposeString('text', { description: 'The text that people read.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

builder.objectRef<WidgetOf<'feed'>>('FeedWidget').implement({
  description: 'A widget of news.',
  interfaces: [WidgetType],
  fields: t => ({
    items: t.field({
      type: [FeedItem],
      nullable: true,
      extensions: nullOnError,
      description: 'The newest ten; null with an error when they cannot be read.',
      resolve: async (widget, _args, context) => (await widget.read(context)).items,
    }),
  }),
})
