// Zod schemas of notes, tasks, tags and saved views.

import { z } from 'zod'
import { anyOf, filterId, filterText, oneText, text, time } from '../inputs.ts'

const pinned = z.boolean().optional().meta({ description: 'Whether it stands before the others.' })

export const newNote = z.strictObject({ text: text(10_000), pinned }).meta({ id: 'NewNote' })
export const noteChange = z.strictObject({ text: text(10_000).optional(), pinned }).meta({ id: 'NoteChange' })

const taskStatus = z.enum(['open', 'done', 'canceled'])
const taskFields = {
  description: text(10_000).nullish(),
  status: taskStatus.nullish().meta({ description: 'Whether it is still to be done. Unless given, it is open.' }),
  due_at: time.nullish().meta({ description: 'When it should be done.' }),
  assignee_user_id: text(255).nullish().meta({ description: 'Who is to do it: a member of the organization.' }),
  remind_at: time.nullish().meta({ description: 'When to remind of it while it is open.' }),
}
export const newTask = z.strictObject({ title: text(200), ...taskFields }).meta({ id: 'NewTask' })
export const taskChange = z.strictObject({ title: text(200).optional(), ...taskFields }).meta({ id: 'TaskChange' })

/** `-due_at` sorts the least urgent first; the GraphQL schema has an enum value for it. */
export const taskSort = z
  .enum(['due_at', '-due_at', 'created_at', '-created_at'])
  .transform(sort => (sort === '-due_at' ? 'due_at_desc' : sort === '-created_at' ? 'created_at_desc' : sort))
  .optional()
  .meta({ title: 'TaskOrder', unlessGiven: 'due_at' })

export const contactTaskFilter = { status: anyOf(taskStatus) }
export const taskFilter = {
  ...contactTaskFilter,
  assignee_user_id: anyOf(oneText(255)),
  contact_id: filterId,
  due_since: time.optional(),
  due_until: time.optional(),
}

/** `-count` sorts the tags with the most contacts first; the GraphQL schema has an enum value for it. */
export const tagSort = z
  .enum(['name', '-count'])
  .transform(sort => (sort === '-count' ? 'count_desc' : sort))
  .optional()
  .meta({ title: 'TagOrder', unlessGiven: 'name' })
export const tagFilter = { q: filterText(64) }
export const tagRenaming = z
  .strictObject({ name: text(64), to: text(64).meta({ description: 'The new name.' }) })
  .meta({ id: 'TagRenaming' })
export const tagMerge = z
  .strictObject({
    names: z.array(text(64)).min(1).max(20).meta({ description: 'Tags. Those that no contact has are ignored.' }),
    into: text(64).meta({ description: 'The tag in their place, new or not.' }),
  })
  .meta({ id: 'TagMerge' })

const viewNoun = z.enum(['contacts', 'calls', 'tasks', 'suggestions', 'enrichment_jobs', 'voice_agents'])
const viewFields = {
  filter: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ description: 'The filter of the GraphQL list, with enums in lower case: `{"lifecycleStageIn": ["lead"]}`.' }),
  sort: text(64).nullish().meta({ description: 'An order of the GraphQL list in lower case, such as `created_at_desc`.' }),
  columns: z.array(text(100)).nullish().meta({ description: 'Fields of the rows as GraphQL names them, at most 50.' }),
  is_shared: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the organization sees it. Unless given, only the views of API keys are shared.' }),
  is_default: z.boolean().optional().meta({ description: 'Whether it is the one to begin with, in place of the one before.' }),
  position: z.int().min(0).max(999_999_999).optional().meta({ description: 'Its place among others. Unless given, the last.' }),
}
export const viewFilter = { noun: viewNoun.optional() }
export const newView = z.strictObject({ noun: viewNoun, name: text(100), ...viewFields }).meta({ id: 'NewSavedView' })
export const viewChange = z.strictObject({ name: text(100).optional(), ...viewFields }).meta({ id: 'SavedViewChange' })
