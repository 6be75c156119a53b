// Merges and their undoing among the writes of the crash script: each is done whole or not at all, on both contacts and what hangs on them.

import { randomInt, randomUUID } from 'node:crypto'
import type { Finding } from './credits.ts'
import { type Answer, ask, type Person, signUp, untilAnswered } from './person.ts'

interface Pair {
  winner: string
  loser: string
  /** What was asked for. */
  isUndone: boolean
  mergeId?: string
  mergeKey: string
  undoKey: string
}

const contacts = '/api/crm/v1/contacts'
const pairsOfRound = 12

/** Merges contacts of an organization of its own. */
export function crashMerges(found: (kind: Finding['kind'], text: string) => void) {
  const whole: Pair[] = []
  /** Pairs that were not merged yet. */
  const ready: Pair[] = []
  let unknown: Pair[] = []
  let person: Person | undefined
  const read = (url: string, path: string) => ask(url, path, { token: person?.session })
  const write = (url: string, path: string, body: object, key: string) => ask(url, path, { body, key, token: person?.session })

  const create = async (url: string): Promise<string> => {
    const { status, body } = await write(url, contacts, { email: `${randomUUID()}@crash.example`, first_name: 'Merged' }, randomUUID())
    if (status !== 201) throw new Error(`a contact is answered ${status}: ${JSON.stringify(body)}`)
    return String(body.id)
  }
  /** Whether both writes were answered. */
  const settle = async (url: string, pair: Pair): Promise<boolean> => {
    const isDone = ({ status, body }: Answer) => {
      if (status !== 200 && status < 500 && body.code !== 'idempotency_in_flight')
        found('torn', `the merge of ${pair.loser} was answered ${status}: ${JSON.stringify(body)}`)
      return status === 200
    }
    const merged = await write(url, `${contacts}/${pair.winner}/merge`, { loser_id: pair.loser }, pair.mergeKey)
    if (!isDone(merged)) return false
    const mergeId = String(merged.body.merge_id)
    if ((pair.mergeId ??= mergeId) !== mergeId) found('doubled', `the merge of ${pair.loser} is ${pair.mergeId} and ${mergeId}`)
    if (pair.isUndone && !isDone(await write(url, `/api/crm/v1/merges/${mergeId}/undo`, {}, pair.undoKey))) return false
    whole.push(pair)
    return true
  }

  const verifyPair = async (url: string, pair: Pair, { isUndone }: Pick<Pair, 'isUndone'> = pair): Promise<void> => {
    const { winner, loser } = pair
    const [kept, gone] = [await read(url, `${contacts}/${winner}`), await read(url, `${contacts}/${loser}`)]
    const typesOf = async (id: string) => {
      const { body } = await read(url, `${contacts}/${id}/timeline`)
      return ((body.data ?? []) as { type: string }[]).map(({ type }) => type.replace('contact.', '')).toSorted()
    }
    const is = [kept.status, gone.status, gone.body.merged_into === winner, ...(await typesOf(winner))]
    if (isUndone) is.push('loser', ...(await typesOf(loser)))
    const expected = isUndone
      ? [200, 200, false, 'created', 'merged', 'unmerged', 'loser', 'created']
      : [200, 404, true, 'created', 'created', 'merged']
    if (is.join() !== expected.join()) found('torn', `the merge of ${loser} into ${winner} left ${is}, and ${expected} were expected`)
  }

  return {
    get acknowledged() {
      return whole.length
    },
    /** Creates the contacts of a round. */
    async open(url: string): Promise<void> {
      person ??= await signUp(url)
      while (ready.length < pairsOfRound) {
        const [winner, loser] = [await create(url), await create(url)]
        ready.push({ winner, loser, isUndone: randomInt(2) === 0, mergeKey: randomUUID(), undoKey: randomUUID() })
      }
    },
    /** Merges pair after pair until the server is gone, and undoes half of them. */
    async client(url: string, until: AbortSignal): Promise<void> {
      while (!until.aborted) {
        const pair = ready.pop()
        if (!pair) return
        try {
          if (!(await settle(url, pair))) unknown.push(pair)
        } catch {
          unknown.push(pair)
          return
        }
      }
    },
    /** Repeats what was not answered, with its keys. */
    async replay(url: string): Promise<void> {
      const asked = unknown
      unknown = []
      for (const pair of asked) await untilAnswered(`the merge of ${pair.loser}`, () => settle(url, pair))
    },
    /** Looks at both contacts of each merge, and undoes some that were left. */
    async verify(url: string): Promise<string> {
      for (const pair of whole) await verifyPair(url, pair)
      for (const pair of whole.filter(({ isUndone }) => !isUndone).slice(0, 20)) {
        const { status } = await write(url, `/api/crm/v1/merges/${pair.mergeId}/undo`, {}, pair.undoKey)
        if (status !== 200) found('torn', `undoing the merge ${pair.mergeId} is answered ${status}`)
        else await verifyPair(url, pair, { isUndone: true })
      }
      return `merges ${whole.length}, undone ${whole.filter(({ isUndone }) => isUndone).length}`
    },
  }
}
