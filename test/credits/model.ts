// A simple model of the ledger in memory, with which tests compare the real one.

export interface ModelGrant {
  amount: number
  remaining: number
  category: 'paid' | 'promotional'
  priority: number
  effectiveAt: number
  expiresAt: number | null
  state: 'pending' | 'active' | 'over'
}
interface Part {
  grant: ModelGrant
  micro: number
}
export interface ModelHold {
  amount: number
  parts: Part[]
  status: 'open' | 'settled' | 'released' | 'expired'
  settled: number
  expiresAt: number
}

export function createModel() {
  const grants: ModelGrant[] = []
  const holds: ModelHold[] = []
  let now = 0

  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const available = () => sum(grants.filter(grant => grant.state === 'active').map(grant => grant.remaining))
  const reserved = () => sum(holds.filter(hold => hold.status === 'open').map(hold => hold.amount))
  const never = Number.POSITIVE_INFINITY

  const giveBack = (parts: readonly Part[]) => {
    for (const { grant, micro } of parts) grant.remaining += micro
  }
  const inOrder = () =>
    grants
      .filter(grant => grant.state === 'active' && grant.remaining > 0)
      .toSorted(
        (a, b) =>
          a.priority - b.priority ||
          (a.expiresAt === b.expiresAt ? 0 : (a.expiresAt ?? never) - (b.expiresAt ?? never)) ||
          Number(b.category === 'promotional') - Number(a.category === 'promotional') ||
          a.effectiveAt - b.effectiveAt ||
          grants.indexOf(a) - grants.indexOf(b),
      )
  const takeParts = (amount: number): Part[] | 'insufficient' => {
    if (amount > available()) return 'insufficient'
    const parts: Part[] = []
    let missing = amount
    for (const grant of inOrder()) {
      const micro = Math.min(missing, grant.remaining)
      if (micro === 0) break
      grant.remaining -= micro
      missing -= micro
      parts.push({ grant, micro })
    }
    return parts
  }
  // Grants that begin and end, and holds that expire. Credits returned to an expired grant are lost.
  const tick = () => {
    for (const hold of holds)
      if (hold.status === 'open' && hold.expiresAt <= now) {
        hold.status = 'expired'
        giveBack(hold.parts)
      }
    for (const grant of grants) {
      if (grant.state === 'pending' && grant.effectiveAt <= now) grant.state = 'active'
      if (grant.state === 'active' && grant.expiresAt !== null && grant.expiresAt <= now) grant.state = 'over'
      if (grant.state === 'over') grant.remaining = 0
    }
  }

  return {
    grants,
    holds,
    get state() {
      return { balance: available() + reserved(), reserved: reserved(), available: available() }
    },
    advance(to: number) {
      now = to
      tick()
    },
    grant(grant: Omit<ModelGrant, 'remaining' | 'state'>) {
      grants.push({ ...grant, remaining: grant.amount, state: grant.effectiveAt > now ? 'pending' : 'active' })
    },
    deduct: (amount: number) => (takeParts(amount) === 'insufficient' ? 'insufficient' : 'done'),
    reserve(amount: number, expiresAt: number) {
      const parts = takeParts(amount)
      if (parts === 'insufficient') return 'insufficient'
      holds.push({ amount, parts, status: 'open', settled: 0, expiresAt })
      return 'done'
    },
    settle(hold: ModelHold, amount: number): number {
      if (hold.status === 'open') {
        let left = amount
        for (const { grant, micro } of hold.parts) {
          const spent = Math.min(left, micro)
          left -= spent
          grant.remaining += micro - spent
        }
        hold.settled = amount
      } else if (hold.status === 'expired') {
        hold.settled = Math.min(amount, available())
        takeParts(hold.settled)
      } else return hold.settled
      hold.status = 'settled'
      tick()
      return hold.settled
    },
    release(hold: ModelHold) {
      if (hold.status !== 'open') return
      hold.status = 'released'
      giveBack(hold.parts)
      tick()
    },
    /** False if the grant is used, expired or voided. */
    voidGrant(grant: ModelGrant): boolean {
      if (grant.state === 'over' || (grant.state === 'active' && grant.remaining === 0)) return false
      grant.state = 'over'
      grant.remaining = 0
      return true
    },
  }
}
