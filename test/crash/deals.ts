// Companies and deals among the writes of the crash script: each is added once, each move is done once with its entry, and no two cards of a
// column have one place.

import { randomInt, randomUUID } from 'node:crypto'
import type { Finding } from './credits.ts'
import { ask, type Person, signUp, untilAnswered } from './person.ts'

/** A deal on its way: a company, the deal, and its moves. */
interface Sale {
  domain: string
  /** The stages that it goes through. */
  moves: string[]
  /** The keys of its writes, in their order. */
  keys: string[]
  companyId?: string
  dealId?: string
  /** How many writes were answered. */
  done: number
}

const crm = '/api/crm/v1'

/** Sells in an organization of its own. */
export function crashDeals(found: (kind: Finding['kind'], text: string) => void) {
  const begun: Sale[] = []
  let unknown: Sale[] = []
  let stages: string[] = []
  let person: Person | undefined
  let acknowledged = 0
  const token = () => ({ token: person?.session })

  const begin = (): Sale => {
    const moves = Array.from({ length: randomInt(4) }, (_, index) => stages[(index + 1) % stages.length] ?? '')
    const sale = { domain: `${randomUUID()}.example`, moves, keys: Array.from({ length: 2 + moves.length }, () => randomUUID()), done: 0 }
    begun.push(sale)
    return sale
  }
  const writeOf = ({ domain, moves, companyId, dealId, done }: Sale): [path: string, body: object] => {
    if (done === 0) return [`${crm}/companies`, { name: 'Crash', domain }]
    if (done === 1) return [`${crm}/deals`, { title: domain, company_id: companyId, amount: '10.50', currency: 'EUR', external_id: domain }]
    return [`${crm}/deals/${dealId}/move`, { stage_id: moves[done - 2] }]
  }
  /** Does the next write. False where it was not answered. */
  const step = async (url: string, sale: Sale): Promise<boolean> => {
    const [path, body] = writeOf(sale)
    const { status, body: answer } = await ask(url, path, { body, key: sale.keys[sale.done] ?? '', ...token() })
    if (status >= 500 || answer.code === 'idempotency_in_flight') return false
    if (status >= 400) found('torn', `POST ${path} of ${sale.domain} was answered ${status}: ${JSON.stringify(answer)}`)
    if (sale.done === 0) sale.companyId = String(answer.id)
    if (sale.done === 1) sale.dealId = String(answer.id)
    sale.done++
    acknowledged++
    return true
  }
  const finish = async (url: string, sale: Sale, until?: AbortSignal): Promise<boolean> => {
    while (sale.done < sale.keys.length && !until?.aborted) if (!(await step(url, sale))) return false
    return true
  }

  const verifySale = async (url: string, { domain, moves, companyId, dealId, done }: Sale): Promise<void> => {
    if (done < 2) return
    const [companies, deals] = [
      await ask(url, `${crm}/companies?domain=${domain}`, token()),
      await ask(url, `${crm}/deals?external_id=${domain}`, token()),
    ]
    const idsOf = ({ body }: typeof deals) => ((body.data ?? []) as { id: string }[]).map(({ id }) => id).join()
    if (idsOf(companies) !== companyId) found(idsOf(companies) ? 'doubled' : 'lost', `the company of ${domain} is ${idsOf(companies)}`)
    if (idsOf(deals) !== dealId) found(idsOf(deals) ? 'doubled' : 'lost', `the deal ${domain} is ${idsOf(deals)}`)
    const [deal, timeline] = [await ask(url, `${crm}/deals/${dealId}`, token()), await ask(url, `${crm}/deals/${dealId}/timeline`, token())]
    const stage = done > 2 ? moves[done - 3] : stages[0]
    if (deal.body.stage_id !== stage || deal.body.company_id !== companyId)
      found('lost', `the deal ${domain} is ${JSON.stringify(deal.body)}, and was moved to ${stage}`)
    const events = ((timeline.body.data ?? []) as unknown[]).length
    if (events !== done - 1) found('torn', `the deal ${domain} has ${events} events, ${done - 1} were expected`)
  }

  return {
    get acknowledged() {
      return acknowledged
    },
    async open(url: string): Promise<void> {
      if (person) return
      person = await signUp(url)
      const { body } = await ask(url, `${crm}/pipelines`, token())
      const [pipeline] = body.data as { stages: { id: string; kind: string }[] }[]
      stages = (pipeline?.stages ?? []).filter(({ kind }) => kind === 'open').map(({ id }) => id)
      if (stages.length < 2) throw new Error(`there are no stages: ${JSON.stringify(body)}`)
    },
    /** Sells until the server is gone. */
    async client(url: string, until: AbortSignal): Promise<void> {
      while (!until.aborted) {
        const sale = begin()
        try {
          if (!(await finish(url, sale, until))) unknown.push(sale)
        } catch {
          unknown.push(sale)
          return
        }
      }
    },
    /** Repeats what was not answered, with its keys, and goes on to the end. */
    async replay(url: string): Promise<void> {
      const asked = unknown
      unknown = []
      for (const sale of asked) await untilAnswered(`the deal ${sale.domain}`, () => finish(url, sale))
    },
    /** Looks at every company and deal, and at the columns. */
    async verify(url: string): Promise<string> {
      for (const sale of begun) await verifySale(url, sale)
      const query = `{ pipelines { id stages { id } } deals(first: 1) { totalCount } }`
      const { body } = await ask(url, '/graphql', { body: { query }, ...token() })
      const { pipelines, deals } = body.data as { pipelines: { id: string }[]; deals: { totalCount: number } }
      const board = `{ dealBoard(pipelineId: "${pipelines[0]?.id}") { count } }`
      const columns = ((await ask(url, '/graphql', { body: { query: board }, ...token() })).body.data as { dealBoard: { count: number }[] })
        .dealBoard
      const counted = columns.reduce((sum, { count }) => sum + count, 0)
      const added = begun.filter(({ done }) => done > 1).length
      if (counted !== added || deals.totalCount !== added)
        found('torn', `${added} deals were added, the board has ${counted}, the list ${deals.totalCount}`)
      return `deals ${added}, moves ${begun.reduce((sum, { done }) => sum + Math.max(0, done - 2), 0)}`
    },
  }
}
