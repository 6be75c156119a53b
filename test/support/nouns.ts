// The nouns that are created, read, changed and deleted in the usual way, each declared once. The matrices follow from this table: who may
// call, what each scope shows, dry runs, pages, ids, and the keys and plans of tables. A noun that is missing here fails them.

import type { Json } from './app.ts'

export interface UsualNoun {
  /** Its name in paths: `{task_id}`. */
  id: string
  /** Its name in mutations and their inputs: `createTask`, `UpdateTaskInput`. */
  name: string
  /** Its type. */
  type: string
  table: string
  /** Its address in REST, by which one is read, changed and deleted. */
  path: string
  /** The root field that lists all of them. Without it, they are lists of a contact. */
  list?: string
  /** It is added to a contact, at the contact's address. */
  isOfContact?: true
  /** Viewers have some of their own. */
  isPersonal?: true
  /** An organization has some hundreds of them at most. */
  isFew?: true
  /** The body that creates one, as REST has it. The word stands in what only `contacts:read` and `contacts:write` show. */
  body(word: string): Json
  /** The body that changes one. */
  change: Json
  /** It is a record: deleted ones can be restored, it has a timeline, and an upsert finds it by what this body has. */
  upsert?(word: string): Json
}

const declared = [
  {
    id: 'note',
    name: 'Note',
    type: 'Note',
    table: 'contact_notes',
    path: '/api/crm/v1/notes',
    isOfContact: true,
    body: word => ({ text: word }),
    change: { text: 'Changed', pinned: true },
  },
  {
    id: 'task',
    name: 'Task',
    type: 'ContactTask',
    table: 'contact_tasks',
    path: '/api/crm/v1/tasks',
    list: 'tasks',
    isOfContact: true,
    body: word => ({ title: word, remind_at: '2100-01-01T00:00:00Z', due_at: '2100-01-02T00:00:00Z' }),
    change: { status: 'done' },
  },
  {
    id: 'company',
    name: 'Company',
    type: 'Company',
    table: 'companies',
    path: '/api/crm/v1/companies',
    list: 'companies',
    body: word => ({ name: word, tags: [word], description: word }),
    change: { industry: 'Machinery' },
    upsert: word => ({ name: word, external_id: word }),
  },
  {
    id: 'deal',
    name: 'Deal',
    type: 'Deal',
    table: 'deals',
    path: '/api/crm/v1/deals',
    list: 'deals',
    body: word => ({ title: word, tags: [word] }),
    change: { expected_close: '2100-01-02' },
    upsert: word => ({ title: word, external_id: word }),
  },
  {
    id: 'view',
    name: 'SavedView',
    type: 'SavedView',
    table: 'saved_views',
    path: '/api/crm/v1/views',
    list: 'savedViews',
    isPersonal: true,
    isFew: true,
    body: word => ({ noun: 'contacts', name: word, is_default: true }),
    change: { name: 'Changed' },
  },
] as const satisfies readonly UsualNoun[]

export type NounId = (typeof declared)[number]['id']
export const nouns: readonly (UsualNoun & { id: NounId })[] = declared

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The nouns whose rows are records, contacts among them: they are changed in bulk. `names`: as in `updateCompaniesInBulk`. */
export const records: readonly { id: string; name: string; names: string }[] = [
  { id: 'contact', name: 'Contact', names: 'Contacts' },
  ...nouns.filter(({ upsert }) => upsert).map(({ id, name, list = '' }) => ({ id, name, names: capitalized(list) })),
]

/** The root field that reads one: `savedView`. */
export const oneOf = ({ name }: UsualNoun): string => name.charAt(0).toLowerCase() + name.slice(1)

/** The address that one is created at. `contactId`: the contact, or `{contact_id}` for the path of the route. */
export const createdAt = ({ path, isOfContact }: UsualNoun, contactId: string): string =>
  isOfContact ? path.replace('/v1/', `/v1/contacts/${contactId}/`) : path

/** Creates one of each, with the word of each in it. Resolves with their ids. */
export async function createNouns(
  post: (path: string, body: Json) => Promise<Json>,
  contactId: string,
  wordOf: (noun: UsualNoun) => string,
): Promise<Record<NounId, string>> {
  const ids: [string, string][] = []
  for (const noun of nouns) ids.push([noun.id, (await post(createdAt(noun, contactId), noun.body(wordOf(noun)))).id])
  // Object.fromEntries does not keep the key type; the keys are exactly the table's.
  return Object.fromEntries(ids) as Record<NounId, string>
}

/** Creates one of each record and deletes it. Resolves with their ids. */
export async function createDeleted(
  post: (path: string, body: Json) => Promise<Json>,
  remove: (path: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { id, path, body } of nouns.filter(({ upsert }) => upsert)) {
    const { id: created } = await post(path, body('Deleted'))
    await remove(`${path}/${created}`)
    ids.set(id, created)
  }
  return ids
}
