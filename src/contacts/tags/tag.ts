// Tags: the texts that records are marked with. They can be listed, and renamed or merged on all records of a noun.

import { v5 as nameBasedId } from 'uuid'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { type NewEvent, recordEvent } from '../../kernel/events/events.ts'
import { text, tooLong } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem } from '../../kernel/input/problem.ts'
import { isText, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { tag } from '../records/fields.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'
import { lockTags, tagStatements } from './tag.sql.ts'

const events = eventsOf('tag', {
  merged: update('Tags were merged into one, on all records of a noun.'),
  renamed: update('A tag was renamed, on all records of a noun.'),
})

export interface Tag {
  /** Derived from organization, noun and name, so that clients can cache a tag. */
  id: string
  name: string
  /** The number of live records with the tag. */
  count: number
}

type TagSort = 'name' | 'count_desc'

export interface TagList extends ListArgs {
  /** Default: contact. */
  noun?: RecordNoun | null
  q?: string | null
  sort?: TagSort | null
}

/** The tags of contacts have the names of the organization alone, as they had when only contacts had tags. */
const idOf = (noun: RecordNoun, orgId: string, name: string) => nameBasedId(name, noun === 'contact' ? orgId : nameBasedId(noun, orgId))

const tagOf = (noun: RecordNoun, orgId: string, { name, count }: { name: string; count: number }): Tag => ({
  id: idOf(noun, orgId, name),
  name,
  count,
})

/** One page of the tags of the noun's live records. */
export async function listTags(context: Context, { noun: given, q, sort, counted, ...args }: TagList): Promise<Page<Tag>> {
  const orgId = organizationOf(context)
  const isByCount = sort === 'count_desc'
  const noun = given ?? 'contact'
  const { tagPages, countTags } = tagStatements[noun]
  const list = `tags ${noun === 'contact' ? '' : `of ${noun} `}${sort ?? 'name'}\n${q ?? ''}`
  const page = pageOf(args, list, isByCount ? isCountAndName : isText)
  const searched = text(1000)(q ?? '')
  if (searched instanceof Invalid) throw invalid(at('q', searched))
  const pattern = searched === null ? null : `%${searched.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const key = page.start?.key ?? null
  const start = key === null ? [null, null] : [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
  const values = [orgId, pattern, page.size + 1]
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countTags, [orgId, pattern])))[0]?.total ?? 0)
  const statement = tagPages[isByCount ? 'count' : 'name'][page.isBackward ? 'backward' : 'forward']
  const found = await context.db.query(statement, [...values, ...(isByCount ? start : [key])])
  const keyed = found.map(row => ({ row: tagOf(noun, orgId, row), key: isByCount ? `${row.count} ${row.name}` : row.name }))
  return new Page(keyed, page, list, total)
}

// Whether the text is a sort key of a list by count.
const isCountAndName = (key: string) => /^\d{1,15} /.test(key) && isText(key)

/** Renames a tag on all records, deleted ones included. Throws NOT_FOUND, and ALREADY_EXISTS if records have the new name already. */
export async function renameTag(context: Context, input: { noun?: RecordNoun | null; name: string; to: string }): Promise<Tag> {
  const problems: Problem[] = []
  const name = readName(input.name, ['name'], problems)
  const to = readName(input.to, ['to'], problems)
  if (problems.length > 0) throw invalid(problems)
  const noun = input.noun ?? 'contact'
  return replacing(context, noun, [name], to, ({ tagsFound, orgId }) => {
    if (!tagsFound.has(name)) throw notFound('tag', name)
    if (name === to) return null
    if (tagsFound.has(to)) {
      const extras = { field: 'to', existingId: idOf(noun, orgId, to) }
      throw new AppError('ALREADY_EXISTS', `There is a tag ${to} already; merge the two to put it in the place of ${name}`, extras)
    }
    return { type: events.renamed, changes: { name: [name, to] } }
  })
}

/**
 * Replaces several tags by one on all records, deleted ones included. Tags that no record has are ignored. Throws NOT_FOUND if no record
 * has any of them.
 */
export async function mergeTags(
  context: Context,
  input: { noun?: RecordNoun | null; names: readonly string[]; into: string },
): Promise<Tag> {
  const problems: Problem[] = []
  const { length } = input.names
  if (length === 0) problems.push(problem('names', 'too_short', [], { min_length: 1, actual_length: 0 }))
  if (length > maxMerged) problems.push(...at('names', tooLong(input.names, maxMerged)))
  const names = input.names.slice(0, maxMerged).map((name, index) => readName(name, ['names', index], problems))
  const into = readName(input.into, ['into'], problems)
  if (problems.length > 0) throw invalid(problems)
  const others = [...new Set(names)].filter(name => name !== into)
  return replacing(context, input.noun ?? 'contact', others, into, ({ tagsFound }) => {
    const present = others.filter(name => tagsFound.has(name))
    if (present.length > 0) return { type: events.merged, changes: { names: [present, into] } }
    if (!tagsFound.has(into)) throw notFound('tag', others[0] ?? into)
    return null
  })
}

// 20: more than a person merges at once.
export const maxMerged = 20

interface Found {
  orgId: string
  /** The given tags that occur on records. */
  tagsFound: ReadonlySet<string>
}

/** Replaces the tags in one transaction, with the event that `decide` returns. If it returns null, nothing changes. */
async function replacing(
  context: Context,
  noun: RecordNoun,
  names: readonly string[],
  into: string,
  decide: (found: Found) => Pick<NewEvent, 'type' | 'changes'> | null,
): Promise<Tag> {
  const orgId = organizationOf(context)
  const { recordsTagged } = tagStatements[noun]
  return context.db.transaction(async db => {
    // Without the lock, two concurrent renames would each find the new name unused.
    await db.query(lockTags, [orgId])
    const found = await db.query(recordsTagged, [orgId, [...names, into]])
    const event = decide({ orgId, tagsFound: new Set(found.map(({ name }) => name)) })
    if (event) {
      const total = await replaceAll(inTransaction(context, db), noun, orgId, names, into)
      const changes = { ...event.changes, [tableOfNoun[noun]]: total }
      await recordEvent(inTransaction(context, db), { ...event, entityId: idOf(noun, orgId, into), changes })
    }
    const [tag] = event ? await db.query(recordsTagged, [orgId, [into]]) : found.filter(({ name }) => name === into)
    return tagOf(noun, orgId, tag ?? { name: into, count: 0 })
  })
}

// 2,000: keeps each statement short, however many records there are.
const batchSize = 2000
// In front of all ids.
const noId = '00000000-0000-0000-0000-000000000000'

/** Resolves with the number of records. Once through all of them: one that gets the tag meanwhile got it afterwards. */
async function replaceAll({ db, now }: Context, noun: RecordNoun, orgId: string, names: readonly string[], into: string): Promise<number> {
  const { selectTagged, lockTagged, replaceTags } = tagStatements[noun]
  let total = 0
  for (let last = noId; ; ) {
    const ids = (await db.query(selectTagged, [orgId, names, last])).map(({ id }) => id)
    for (let from = 0; from < ids.length; from += batchSize) {
      const batch = ids.slice(from, from + batchSize)
      await db.query(lockTagged, [orgId, names, batch])
      total += (await db.query(replaceTags, [orgId, names, into, batch, now().toISOString()])).length
    }
    const next = ids.at(-1)
    if (next === undefined) return total
    last = next
  }
}

function readName(given: string, path: Problem['path'], problems: Problem[]): string {
  const read = tag(given)
  if (typeof read === 'string') return read
  if (read instanceof Invalid) problems.push(...read.problems.map(one => ({ ...one, path: [...path, ...one.path] })))
  else problems.push(problem(path, 'string_too_short', given, { min_length: 1 }))
  return ''
}
