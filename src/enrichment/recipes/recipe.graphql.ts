// GraphQL: the Recipe type and its query.

import { builder, isInternal } from '../../graphql/schema/builder.ts'
import { connectionOf } from '../../graphql/schema/lists/connection.graphql.ts'
import { wireName } from '../../kernel/input/case.ts'
import { type ListedRecipe, type ListedStep, listRecipes } from './list.ts'

const RecipeStepType = builder.objectRef<ListedStep>('RecipeStep').implement({
  description: 'A step of a recipe.',
  fields: t => ({
    step: t.exposeString('id', { description: 'Its name within the recipe.' }),
    provider: t.exposeString('provider', { description: 'The provider to ask.' }),
    fields: t.exposeStringList('fields', { description: 'The fields to take from it.' }),
    wireFields: t.stringList({
      description: 'The same as REST and recipes write it.',
      extensions: isInternal,
      resolve: ({ fields }) => fields.map(wireName),
    }),
    price: t.exposeFloat('price', { description: 'Credits, when it finds something.' }),
    unavailable: t.exposeString('unavailable', {
      nullable: true,
      description:
        'Why it is skipped: not_configured in this installation, with the setting that is missing, or organization_not_allowed (PAID_PROVIDER_ORGANIZATIONS); null when it is not.',
    }),
  }),
})

const RecipeType = builder.objectRef<ListedRecipe>('Recipe').implement({
  description: 'A versioned list of steps that find something out about a target.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its name.' }),
    name: t.exposeString('name', { description: 'Its name in jobs.' }),
    version: t.exposeInt('version', { description: 'A job keeps the version it was queued with.' }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    description: t.exposeString('description', { description: 'Its purpose.' }),
    kinds: t.exposeStringList('kinds', { nullable: true, description: 'Kinds of targets it is for; null for any.' }),
    isDefaultFor: t.exposeStringList('isDefaultFor', { description: 'Kinds for which it runs when no recipe is asked for.' }),
    price: t.exposeFloat('price', { description: 'The most credits that a run costs; as many are reserved.' }),
    unavailable: t.exposeString('unavailable', {
      nullable: true,
      description:
        'Why it cannot do all that it says: `unavailable` of its first step that is skipped. A job that finds nothing then fails with it.',
    }),
    steps: t.expose('steps', { type: [RecipeStepType], description: 'In their order. A field is answered once an answer is sure enough.' }),
  }),
})

const RecipeConnection = connectionOf('Recipe', 'recipes', RecipeType)

builder.queryField('recipes', t =>
  t.field({
    type: RecipeConnection,
    description: 'The recipes of this installation, by name.',
    authScopes: { scope: 'enrich:read' },
    resolve: (_parent, _args, context) => listRecipes(context),
  }),
)
