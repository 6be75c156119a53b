// GraphQL: the Deal type, the queries for one deal, its timeline, and the deals of contacts and companies.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, isInternal } from '../../graphql/schema/builder.ts'
import { outputFields } from '../../graphql/schema/fields.graphql.ts'
import { isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import {
  derivedOnce,
  fieldsIn,
  readsProperties,
  readsProperty,
  selected,
  selectedRows,
} from '../../graphql/schema/lists/selection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { requireScope } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { CompanyType, selectedCompany } from '../companies/company.graphql.ts'
import { liveCompany } from '../companies/company.ts'
import { ContactType } from '../contact/contact.graphql.ts'
import { contactTable, listedProperties } from '../contact/row.ts'
import { PipelineType, StageType } from '../pipelines/pipeline.graphql.ts'
import { loadPipelines } from '../pipelines/pipeline.ts'
import { loadStages } from '../pipelines/stage.ts'
import { recordOutputs } from '../records/record.graphql.ts'
import { TimelineConnection } from '../timeline/timeline.graphql.ts'
import { ofDeals } from '../timeline/timeline.ts'
import type { StageChange } from './deal.sql.ts'
import { getDeal, loadDeals, loadStageChanges } from './deal.ts'
import { amountOf } from './input.ts'
import { type ContactOfDeal, contactsOf, loadDealsOfCompanies, loadDealsOfContacts } from './list/of-records.ts'
import { searchDeals } from './list/search.ts'
import { dealFields, type ListedDeal } from './row.ts'

const DealContactType = builder.objectRef<ContactOfDeal>('DealContact').implement({
  description: 'A contact of a deal.',
  fields: t => ({
    contact: t.expose('contact', { type: ContactType, description: 'The contact.' }),
    role: t.exposeString('role', { nullable: true, description: 'Its role in the deal, such as decision maker.' }),
  }),
})

const DealStageChangeType = builder.objectRef<StageChange>('DealStageChange').implement({
  description: 'A deal came into a stage.',
  fields: t => ({
    fromStageId: t.exposeID('fromStageId', { nullable: true, description: 'The stage before; null where the deal was added.' }),
    fromName: t.exposeString('fromName', { nullable: true, description: 'The name of the stage before, at that time.' }),
    toStageId: t.exposeID('toStageId', { description: 'The stage. It may be deleted.' }),
    toName: t.exposeString('toName', { description: 'Its name at that time.' }),
    changedBy: t.expose('changedBy', { type: ActorType, description: 'The actor who moved or added the deal.' }),
    changedAt: t.expose('changedAt', { type: 'DateTime', description: 'When.' }),
  }),
})

const contactsIn = derivedOnce(info => selectedRows(info.schema, 'Contact', fieldsIn(info, 'contact'), contactTable, listedProperties))

const dayMs = 86_400_000

export const DealType = builder.objectRef<ListedDeal>('Deal').implement({
  description: 'A sale that is hoped for, made or lost.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7: ids sort by time of creation.' }),
    orgId: t.exposeID('orgId', { description: 'The organization that it belongs to.' }),
    ...outputFields(t, dealFields),
    amount: t.string({
      nullable: true,
      description: 'The amount as a decimal text, such as 1500.50, in `currency`.',
      extensions: readsProperties('amount', 'currency'),
      resolve: deal => amountOf({ amount: selected('amount')(deal), currency: selected('currency')(deal) }),
    }),
    pipelineId: t.id({ description: 'The pipeline.', resolve: selected('pipelineId') }),
    pipeline: t.field({
      type: PipelineType,
      nullable: true,
      description: 'The pipeline.',
      extensions: readsProperty('pipelineId'),
      resolve: (deal, _args, context) => load(context, loadPipelines, selected('pipelineId')(deal)),
    }),
    stageId: t.exposeID('stageId', { description: 'The stage.' }),
    stage: t.field({
      type: StageType,
      nullable: true,
      description: 'The stage.',
      extensions: readsProperty('stageId'),
      resolve: ({ stageId }, _args, context) => load(context, loadStages, stageId),
    }),
    company: t.field({
      type: CompanyType,
      nullable: true,
      description: 'The company that it is with; null also for one that is deleted.',
      extensions: readsProperty('companyId'),
      resolve: (deal, _args, context, info) => liveCompany(context, selected('companyId')(deal), selectedCompany(context, info)),
    }),
    contacts: t.field({
      type: [DealContactType],
      description: 'Its contacts that are not deleted, in their order.',
      extensions: readsProperty('id'),
      resolve: ({ id }, _args, context, info) => contactsOf(context, id, contactsIn(context, info)),
    }),
    wonAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was won; null for one that is not.',
      resolve: selected('wonAt'),
    }),
    lostAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was lost; null for one that is not.',
      resolve: selected('lostAt'),
    }),
    stageChangedAt: t.field({ type: 'DateTime', description: 'When it came into its stage.', resolve: selected('stageChangedAt') }),
    isStale: t.boolean({
      description: 'Whether it has been in its stage for longer than the stage allows.',
      extensions: readsProperty('stageChangedAt'),
      async resolve(deal, _args, context) {
        const stage = await load(context, loadStages, deal.stageId)
        const days = stage?.kind === 'open' ? stage.staleAfterDays : null
        return days !== null && context.now().getTime() - Date.parse(selected('stageChangedAt')(deal)) > days * dayMs
      },
    }),
    stageChanges: t.field({
      type: [DealStageChangeType],
      description: 'Its way through the stages, newest first, at most 100.',
      extensions: readsProperty('id'),
      resolve: ({ id }, _args, context) => load(context, loadStageChanges, id),
    }),
    ...recordOutputs(t, 'deal'),
    timeline: t.field({
      type: TimelineConnection,
      description: 'History of the deal, newest first. Needs `contacts:read`.',
      args: pageArgs,
      resolve: (deal, args, context, info) => ofDeals.of(context, deal.id, { ...args, counted: isCounted(info) }),
    }),
  }),
})

builder.objectField(CompanyType, 'deals', t =>
  t.field({
    type: [DealType],
    description: 'Its newest deals, at most 100. Needs `contacts:read`.',
    extensions: readsProperty('id'),
    resolve({ id }, _args, context) {
      requireScope(context, 'contacts:read')
      return load(context, loadDealsOfCompanies, id)
    },
  }),
)

builder.objectField(ContactType, 'deals', t =>
  t.field({
    type: [DealType],
    description: 'Its newest deals, at most 100. Needs `contacts:read`.',
    extensions: readsProperty('id'),
    resolve({ id }, _args, context) {
      requireScope(context, 'contacts:read')
      return load(context, loadDealsOfContacts, id)
    },
  }),
)

builder.queryFields(t => ({
  deal: t.field({
    type: DealType,
    nullable: true,
    description: 'A deal; null with NOT_FOUND for one that is deleted or does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...byId,
      includeDeleted: t.arg.boolean({ defaultValue: false, description: 'Finds it deleted as well; `deletedAt` says so.' }),
    },
    resolve: (_parent, { id, includeDeleted }, context) => getDeal(context, id, { evenDeleted: includeDeleted ?? false }),
  }),
  dealTimeline: t.field({
    type: TimelineConnection,
    description: 'The timeline of a deal that is not deleted, without the deal.',
    authScopes: { scope: 'contacts:read' },
    args: { ...byId, ...pageArgs },
    resolve: (_parent, { id, ...args }, context, info) => ofDeals.byId(context, id, { ...args, counted: isCounted(info) }),
    // Through `deal { timeline }` it takes two statements, one after the other.
    extensions: isInternal,
  }),
}))

noun('deal', DealType, {
  scope: 'contacts:read',
  load: loadDeals,
  isInTimelines: true,
  search: { description: 'Deals, by title', find: searchDeals },
  rank: 3,
})
