// How the import of a company, a deal, a note or a task is taken back.

import type { Context } from '../../../../kernel/context.ts'
import type { FieldTable } from '../../../../kernel/fields/table.ts'
import { companyActs } from '../../../bulk/nouns/companies.ts'
import { dealActs } from '../../../bulk/nouns/deals.ts'
import { manyCompanies } from '../../../companies/company.sql.ts'
import { updateCompany } from '../../../companies/company.ts'
import { revenueOf } from '../../../companies/input.ts'
import { companyFields } from '../../../companies/row.ts'
import { contactsOfDeals } from '../../../deals/contacts.sql.ts'
import { manyDeals } from '../../../deals/deal.sql.ts'
import { updateDeal } from '../../../deals/deal.ts'
import { amountOf } from '../../../deals/input.ts'
import { moveDeal } from '../../../deals/moves/move.ts'
import { type DealContact, dealFields } from '../../../deals/row.ts'
import { noteFields } from '../../../notes/note.sql.ts'
import { deleteNote, loadNotes, updateNote } from '../../../notes/note.ts'
import { taskFields } from '../../../tasks/task.sql.ts'
import { deleteTask, loadTasks, updateTask } from '../../../tasks/task.ts'
import { customPrefix } from '../../columns/headers.ts'
import { type UndoneNoun, usedCompanies, usedDeals } from './records.sql.ts'

type Values = Readonly<Record<string, unknown>>

/** A record that is not deleted, with its values as changes name them. */
export interface Present {
  id: string
  version: number
  values: Values
}

interface Undone {
  /** Locks those that can be deleted together. */
  load(tx: Context, orgId: string, ids: readonly string[]): Promise<Present[]>
  /** Those on which somebody has worked. */
  used(tx: Context, orgId: string, ids: readonly string[]): Promise<readonly string[]>
  remove(tx: Context, orgId: string, records: readonly Present[]): Promise<unknown>
  /** Throws where the rules refuse a former value. */
  change(tx: Context, id: string, former: Values): Promise<unknown>
}

const isLive = ({ deletedAt }: { deletedAt: string | null }) => deletedAt === null
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)

/** Former values as the input of a rule: custom fields stand together in it, and times are dates. */
function inputOf(table: FieldTable, former: Values): Values {
  const [ofCustom = [], ofTable = []] = [true, false].map(isCustom =>
    Object.entries(former).filter(([name]) => name.startsWith(customPrefix) === isCustom),
  )
  const custom = ofCustom.map(([name, value]) => [name.slice(customPrefix.length), value])
  const fields = ofTable.map(([name, value]) => {
    const isTime = table[name]?.type === 'DateTime' && typeof value === 'string'
    return [name, isTime ? new Date(value) : value]
  })
  return { ...Object.fromEntries(fields), ...(custom.length > 0 && { custom: Object.fromEntries(custom) }) }
}

/** The contacts of deals, as changes name them. */
async function contactsOf({ db }: Context, orgId: string, ids: readonly string[]): Promise<Map<string, DealContact[]>> {
  const found = await db.query(contactsOfDeals, [orgId, ids])
  const byDeal = Map.groupBy(found, ({ dealId }) => dealId)
  return new Map([...byDeal].map(([id, contacts]) => [id, contacts.map(({ contactId, role }) => ({ contactId, role }))]))
}

export const undoneNouns: Readonly<Record<UndoneNoun, Undone>> = {
  company: {
    load: async (tx, orgId, ids) =>
      (await tx.db.query(manyCompanies.lock, [orgId, ids]))
        .filter(isLive)
        .map(company => ({ id: company.id, version: company.version, values: { ...company, annualRevenue: revenueOf(company) } })),
    used: async (tx, orgId, ids) => idsOf(await tx.db.query(usedCompanies, [orgId, ids])),
    remove: (tx, orgId, companies) => companyActs.remove(tx, orgId, idsOf(companies)),
    change: (tx, id, former) => updateCompany(tx, { id }, inputOf(companyFields, former)),
  },
  deal: {
    async load(tx, orgId, ids) {
      const deals = (await tx.db.query(manyDeals.lock, [orgId, ids])).filter(isLive)
      const contacts = await contactsOf(tx, orgId, idsOf(deals))
      return deals.map(deal => {
        const values = { ...deal, amount: amountOf(deal), contacts: contacts.get(deal.id) ?? [] }
        return { id: deal.id, version: deal.version, values }
      })
    },
    used: async (tx, orgId, ids) => idsOf(await tx.db.query(usedDeals, [orgId, ids])),
    remove: (tx, orgId, deals) => dealActs.remove(tx, orgId, idsOf(deals)),
    async change(tx, id, { stageId, ...former }) {
      const { lostReason, ...rest } = former
      if (typeof stageId !== 'string') return updateDeal(tx, { id }, inputOf(dealFields, former))
      await moveDeal(tx, { id, stageId, ...(typeof lostReason === 'string' && { lostReason }) })
      return updateDeal(tx, { id }, inputOf(dealFields, rest))
    },
  },
  note: {
    load: async (tx, _orgId, ids) => present(await loadNotes(tx, ids)),
    used: () => Promise.resolve([]),
    async remove(tx, _orgId, notes) {
      for (const { id, version } of notes) await deleteNote(tx, { id, ifVersion: version })
    },
    change: (tx, id, former) => updateNote(tx, { id, ...inputOf(noteFields, former) }),
  },
  task: {
    load: async (tx, _orgId, ids) => present(await loadTasks(tx, ids)),
    used: () => Promise.resolve([]),
    async remove(tx, _orgId, tasks) {
      for (const { id, version } of tasks) await deleteTask(tx, { id, ifVersion: version })
    },
    change: (tx, id, former) => updateTask(tx, { id, ...inputOf(taskFields, former) }),
  },
}

const present = <One extends { id: string; version: number }>(found: readonly (One | Error | null)[]): Present[] =>
  found.flatMap(one => (one === null || one instanceof Error ? [] : [{ id: one.id, version: one.version, values: { ...one } }]))
