// Invitations that are accepted while the server is killed: each acceptance that was acknowledged is one membership.

import { randomUUID } from 'node:crypto'
import type { Finding } from './credits.ts'
import { ask, type Person, signUp, untilAnswered } from './person.ts'

interface Claim {
  token: string
  person: Person
  key: string
}

const invitedInRound = 3

/** Invites people to an organization of its own. */
export function crashInvitations(found: (kind: Finding['kind'], text: string) => void) {
  const joined: Claim[] = []
  /** Invitations that were not accepted yet. */
  const ready: Claim[] = []
  let unknown: Claim[] = []
  let owner: Person | undefined

  const graphql = async (url: string, query: string, { session }: Person, key?: string) => {
    const { status, body } = await ask(url, '/graphql', { body: { query }, token: session, ...(key && { key }) })
    const [error] = (body.errors ?? []) as { extensions: { code: string } }[]
    return { status, code: error?.extensions.code, data: body.data as Record<string, Record<string, unknown>> | undefined }
  }
  /** Whether it was answered. */
  const claim = async (url: string, asked: Claim, isCut = false): Promise<boolean> => {
    const query = `mutation { claimOrganization(input: { token: "${asked.token}" }) { id } }`
    const { code, data } = await graphql(url, query, asked.person, asked.key)
    if (data?.claimOrganization) joined.push(asked)
    // On a disk that is cut off PostgreSQL may fail with any error. INTERNAL acknowledges nothing.
    else if (code === 'UNAVAILABLE' || code === 'IDEMPOTENCY_IN_FLIGHT' || (isCut && code === 'INTERNAL')) return false
    else found('lost', `an invitation was answered ${code}`)
    return true
  }

  return {
    get acknowledged() {
      return joined.length
    },
    /** Invites the people of a round, who have signed up. */
    async open(url: string): Promise<void> {
      owner ??= await signUp(url)
      while (ready.length < invitedInRound) {
        const { code, data } = await graphql(url, 'mutation { inviteToOrganization(input: { role: MEMBER }) { token } }', owner)
        if (!data?.inviteToOrganization) throw new Error(`an invitation is answered ${code}`)
        ready.push({ token: String(data.inviteToOrganization.token), person: await signUp(url), key: randomUUID() })
      }
    },
    /** They accept, one after another, until the server is gone. `isCut`: it goes with the power of its disk. */
    async client(url: string, until: AbortSignal, isCut: boolean): Promise<void> {
      while (!until.aborted) {
        const asked = ready.pop()
        if (!asked) return
        try {
          if (!(await claim(url, asked, isCut))) unknown.push(asked)
        } catch {
          unknown.push(asked)
          return
        }
      }
    },
    /** Repeats what was not answered, with its keys. */
    async replay(url: string): Promise<void> {
      const asked = unknown
      unknown = []
      for (const again of asked) await untilAnswered('an invitation', () => claim(url, again))
    },
    /** The organization has its owner and each person who joined, once. */
    async verify(url: string): Promise<string> {
      if (!owner) return ''
      const emails: string[] = []
      for (let after: unknown = null; after !== undefined; ) {
        const place = after === null ? '' : `, after: "${after}"`
        const query = `{ organization { members(first: 50${place}) { nodes { user { email } } pageInfo { hasNextPage endCursor } } } }`
        const { data } = await graphql(url, query, owner)
        const page = data?.organization?.members as
          | { nodes: { user: { email: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
          | undefined
        emails.push(...(page?.nodes ?? []).map(({ user }) => user.email))
        after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined
      }
      const expected = [owner, ...joined.map(({ person }) => person)].map(({ email }) => email)
      for (const email of expected) {
        const count = emails.filter(other => other === email).length
        if (count !== 1) found(count > 1 ? 'doubled' : 'lost', `${email} is ${count} members`)
      }
      if (emails.length !== expected.length) found('torn', `${emails.length} people are members, ${expected.length} were acknowledged`)
      return `invited ${joined.length}`
    },
  }
}
