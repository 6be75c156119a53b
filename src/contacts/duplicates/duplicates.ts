// Records of a noun that may be the same: all pairs of an organization, the pairs of one record, and pairs that somebody dismisses.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, load } from '../../kernel/dataloaders.ts'
import { invalid } from '../../kernel/errors.ts'
import { type NewEvent, recordEvent } from '../../kernel/events/events.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { isText, Page, type PageArgs, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded } from '../../kernel/lists/total.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import type { MergedNoun } from '../merge/move.sql.ts'
import { type Certainties, type DuplicatePair, pairOf } from './pair.ts'
import type { Section } from './sections.sql.ts'

interface DuplicateRow {
  id: string
  orgId: string
  deletedAt: string | null
}

/** The rules of a noun that has duplicates. */
interface RecordsWithDuplicates<Row extends DuplicateRow> {
  noun: MergedNoun
  /** The name of the list of all pairs in cursors. */
  list: string
  /** The event of a dismissal. */
  event: EventType
  /** Throws NOT_FOUND. */
  get(context: Context, id: string): Promise<Row>
  load: Batch<string, Row | null>
  /** Of the list of all pairs: pairs with the same mailbox, for example. */
  sections: readonly Section[]
  /** The ids of records that may be the same as one, also by similar names. */
  candidatesOf(context: Context, row: Row): Promise<readonly string[]>
  /** Why the two of each pair may be the same. */
  compare(context: Context, pairs: readonly (readonly [Row, Row])[]): Promise<readonly Certainties[]>
  /** The timeline of the event. */
  timeline(row: Row): Pick<NewEvent, 'contactId' | 'companyId'>
}

export interface Duplicates<Row> {
  /**
   * A page of the pairs of all sections. In each section a record is listed once, with its oldest possible duplicate. Dismissed pairs are left
   * out.
   */
  list(context: Context, args: Pick<PageArgs, 'first' | 'after'>): Promise<Page<DuplicatePair<Row>>>
  /** The possible duplicates of a record, by similar names too, the most certain first, at most 20. Throws NOT_FOUND. */
  of(context: Context, id: string): Promise<Page<DuplicatePair<Row>>>
  /** Stores that two records are not the same. Dismissing a pair again changes nothing. Throws NOT_FOUND. */
  dismiss(context: Context, id: string, otherId: string): Promise<Row>
}

// A position before all ids.
const noId = '00000000-0000-0000-0000-000000000000'
// 0.3: below it, often only the first name is the same.
const minScore = 0.3
const maxOfOne = 20

export function duplicatesIn<Row extends DuplicateRow>(records: RecordsWithDuplicates<Row>): Duplicates<Row> {
  const { noun, list, sections } = records

  /** A position's key consists of the name of the section and the key inside it. */
  const partsOf = (key: string) => {
    const name = key.slice(0, key.indexOf(' '))
    return { section: sections.find(section => section.name === name), of: key.slice(key.indexOf(' ') + 1) }
  }
  const isKey = (key: string): boolean => {
    const { section, of } = partsOf(key)
    return isText(key) && section?.form.test(of) === true
  }
  const total = (context: Context, orgId: string) =>
    bounded(context, async db => {
      let sum = 0
      for (const { count, noKey } of sections) sum += (await db.query(count, [orgId, noKey, noId]))[0]?.total ?? 0
      return sum
    })

  return {
    async list(context, args) {
      const orgId = organizationOf(context)
      const page = pageOf(args, list, isKey)
      const start = page.start && partsOf(page.start.key)
      const found: { key: string; id: string; otherId: string }[] = []
      for (const section of sections.slice(start?.section ? sections.indexOf(start.section) : 0)) {
        const missing = page.size + 1 - found.length
        if (missing === 0) break
        const from = start?.section === section ? [start.of, page.start?.id] : [section.noKey, noId]
        const pairs = await context.db.query(section.select, [orgId, ...from, missing])
        found.push(...pairs.map(pair => ({ ...pair, key: `${section.name} ${pair.key}` })))
      }
      const loaded = await Promise.all(
        found.map(async ({ key, id, otherId }) => {
          const [one, other] = await Promise.all([load(context, records.load, id), load(context, records.load, otherId)])
          return one && other ? { key, both: [one, other] as const } : null
        }),
      )
      const pairs = loaded.filter(pair => pair !== null)
      const certainties = await records.compare(
        context,
        pairs.map(({ both }) => both),
      )
      const rows = pairs.map(({ key, both: [one, other] }, index) => ({
        row: { ...pairOf(noun, one, other, certainties[index] ?? {}), id: one.id },
        key,
      }))
      return new Page(rows, page, list, () => total(context, orgId))
    },

    async of(context, id) {
      const row = await records.get(context, id)
      const ids = await records.candidatesOf(context, row)
      // `as`: a row is no promise.
      const others = (await Promise.all(ids.map(candidate => load(context, records.load, candidate)))) as (Row | null)[]
      const live = others.filter(other => other !== null).filter(({ deletedAt }) => deletedAt === null)
      const certainties = await records.compare(
        context,
        live.map(other => [row, other]),
      )
      const pairs = live
        .map((other, index) => pairOf(noun, row, other, certainties[index] ?? {}))
        .filter(({ score }) => score >= minScore)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, maxOfOne)
      const asked = { size: maxOfOne, start: null, isBackward: false }
      return new Page(
        pairs.map(pair => ({ row: pair, key: '' })),
        asked,
        `${list} of ${row.id}`,
        () => pairs.length,
      )
    },

    async dismiss(context, id, otherId) {
      if (id.toLowerCase() === otherId.toLowerCase()) throw invalid(valueError('otherId', `it is the ${noun} itself`, otherId))
      return context.db.transaction(async db => {
        const tx = inTransaction(context, db)
        const [row, other] = [await records.get(tx, id), await records.get(tx, otherId)]
        const [firstId = '', secondId = ''] = [row.id, other.id].toSorted()
        const by = createdByColumns(actorOf(context.principal))
        const data = { orgId: row.orgId, firstId, secondId, createdAt: context.now(), ...by }
        const { count } = await db.prisma.contactDuplicateDismissal.createMany({ data, skipDuplicates: true })
        if (count > 0)
          await recordEvent(tx, { type: records.event, entityId: row.id, ...records.timeline(row), changes: { otherId: other.id } })
        return row
      })
    },
  }
}
