// The outcomes that rows of companies, deals, notes and tasks would have. Reads, and writes nothing.

import { currencyOf } from '../../../identity/organizations/country-and-currency.ts'
import type { Context } from '../../../kernel/context.ts'
import { AppError, rowErrorOf } from '../../../kernel/errors.ts'
import { readFields } from '../../../kernel/fields/table.ts'
import { type Problem, problem, valueError } from '../../../kernel/input/problem.ts'
import { holdersOfDomains } from '../../companies/company.sql.ts'
import { readCompany, startingFrom as startingCompany } from '../../companies/input.ts'
import type { OnConflict } from '../../contact/write.ts'
import { readDeal, startingFrom as startingDeal } from '../../deals/input.ts'
import { noteFields } from '../../notes/note.sql.ts'
import { taskFields } from '../../tasks/task.sql.ts'
import { earlierRows } from '../check/earlier.ts'
import { type Outcome, outcomeOfChange } from '../check/outcome.ts'
import { changesCompanies, companyInput } from './companies.ts'
import { changesDeals, dealRow } from './deals.ts'
import type { ImportNoun } from './fields.ts'
import { companiesNamed } from './found.sql.ts'
import { changesHanging } from './hanging.ts'
import type { LinkedRow } from './links.ts'

type Other = Exclude<ImportNoun, 'contact'>

const missing = (row: LinkedRow, field: string): Problem[] =>
  row.linked.known === null && (row.input as Record<string, unknown>)[field] === undefined ? [problem(field, 'missing', null)] : []

const hangs = ({ linked: { known, links } }: LinkedRow, isTogether: boolean, word: string): Problem[] =>
  known !== null || isTogether || Object.values(links).some(ids => ids.length > 0)
    ? []
    : [valueError([], `the ${word} names no contact, company or deal that was imported`)]

/** The problems of an amount with its currency, which are found where it is applied. */
function ofAmount(apply: () => unknown): readonly Problem[] {
  try {
    apply()
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return rowErrorOf(error).problems ?? []
  }
}

interface Around {
  /** Whether the import has further files, to which the rows may link. */
  isTogether: boolean
  /** The currency of the organization. */
  usual: string | null
}

const problemsOf: Readonly<Record<Other, (row: LinkedRow, around: Around) => readonly Problem[]>> = {
  company(row, { usual }) {
    const changes = readCompany(companyInput(row))
    return [...missing(row, 'name'), ...changes.problems, ...ofAmount(() => startingCompany('', 'import', changes, usual))]
  },
  deal(row, { usual }) {
    const { dealStatus: _, companyName: __, stageId: ___, pipelineId: ____, ...input } = dealRow(row)
    const changes = readDeal(input)
    return [...missing(row, 'title'), ...changes.problems, ...ofAmount(() => startingDeal('', 'import', changes, usual))]
  },
  // `as`: each reader returns the type of its field.
  note: (row, { isTogether }) => [
    ...missing(row, 'text'),
    ...hangs(row, isTogether, 'note'),
    ...readFields(noteFields, row.input as never).problems,
  ],
  task: (row, { isTogether }) => [
    ...missing(row, 'title'),
    ...hangs(row, isTogether, 'task'),
    ...readFields(taskFields, row.input as never).problems,
  ],
}

/** Returns a function that takes the rows of a file in their order. `isTogether`: the import has further files, to which the rows may link. */
export function otherOutcomeReader(context: Context, orgId: string, noun: Other, onConflict: OnConflict | null, isTogether: boolean) {
  const earlier = earlierRows()
  let usual: string | null = null
  return async (rows: readonly LinkedRow[]): Promise<Outcome[]> => {
    usual ??= await currencyOf(context, orgId)
    const taken = noun === 'company' ? await takenBy(context, orgId, rows) : () => null
    const isChange = await changesOf(
      context,
      orgId,
      noun,
      rows,
      rows.flatMap(row => taken(row)?.holderId ?? []),
      usual,
    )
    return rows.map((row): Outcome => {
      const problems = [...row.problems, ...problemsOf[noun](row, { isTogether, usual })]
      const shown = { changes: undefined, shown: row.input as Readonly<Record<string, unknown>> }
      if (problems.length > 0) return { outcome: 'failed', isTaken: false, problems, ...shown }
      const { externalId, known } = row.linked
      const key = taken(row)
      const keys = [...(externalId === null ? [] : [`id ${externalId}`]), ...(key ? [key.text] : [])]
      const isSame = known !== null || (externalId !== null && earlier.has(`id ${externalId}`))
      const isTaken = isSame || (key !== null && (earlier.has(key.text) || key.holderId !== undefined))
      const isRepeated = earlier.isSame(keys, row)
      earlier.add(keys, row)
      if (!isTaken) return { outcome: 'created', isTaken, problems, ...shown }
      if (onConflict === null && !isSame) {
        const message = `A company with this ${key?.field} exists already`
        return { outcome: 'failed', isTaken, problems: [{ path: [key?.field ?? ''], type: 'value_error', message }], ...shown }
      }
      if (onConflict === 'skip' || isRepeated) return { outcome: 'skipped', isTaken, problems, ...shown }
      if (isRepeated === false) return { outcome: 'updated', isTaken, problems, ...shown }
      return { ...outcomeOfChange(() => isChange(row, known ?? key?.holderId ?? '')), isTaken, ...shown }
    })
  }
}

/** How the rows of a noun tell whether they would change their records. `holders`: companies of the rows, beside those known by their ids. */
function changesOf(
  context: Context,
  orgId: string,
  noun: Other,
  rows: readonly LinkedRow[],
  holders: readonly string[],
  usual: string | null,
): Promise<(row: LinkedRow, id: string) => boolean> {
  if (noun === 'company') {
    const known = rows.flatMap(({ linked }) => linked.known ?? [])
    return changesCompanies(context, orgId, [...new Set([...known, ...holders])], usual)
  }
  return noun === 'deal' ? changesDeals(context, orgId, rows, usual) : changesHanging(context, noun, rows)
}

/** The company that has the domain of a row, or the name of a row without a domain and an id. */
async function takenBy({ db }: Context, orgId: string, rows: readonly LinkedRow[]) {
  const inputs = rows.map(companyInput)
  const domains = inputs.flatMap(({ domain }) => domain ?? [])
  const names = inputs.flatMap(({ domain, name }, index) => (domain || rows[index]?.linked.externalId ? [] : (name ?? [])))
  const holders = domains.length > 0 ? await db.query(holdersOfDomains, [orgId, domains]) : []
  const named = names.length > 0 ? await db.query(companiesNamed, [orgId, names]) : []
  const held = new Map<string, string>([
    ...holders.map(({ domain, companyId }) => [`domain ${domain}`, companyId] as const),
    ...named.map(({ name, id }) => [`name ${name}`, id] as const),
  ])
  return (row: LinkedRow) => {
    const { domain, name } = companyInput(row)
    const field = domain ? 'domain' : row.linked.externalId === null && name ? 'name' : null
    if (field === null) return null
    const text = `${field} ${(domain ?? name ?? '').toLowerCase()}`
    return { field, text, holderId: held.get(text) }
  }
}
