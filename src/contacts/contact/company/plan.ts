// Which companies the contacts get, and which of them are to be made or to get a domain. Pure.

import type { Context } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import type { ContactSource } from '../../records/source.ts'
import type { FoundCompany } from './link.sql.ts'
import type { NamedCompany, Wanted } from './wanted.ts'

/** A contact that wants a company. */
export interface Ask {
  /** The caller who writes the contact. */
  context: Context
  orgId: string
  wanted: Wanted
  /** The source of a company that is made. */
  source: ContactSource
}

/** The company of a contact, with the values that the contact has of it. */
export interface CompanyOfContact {
  id: string
  name: string
  domain: string | null
}

interface Key {
  place: number
  org_id: string
  id?: string
  domain?: string
  name?: string
  may_fill?: true
}

export interface Made extends CompanyOfContact {
  ask: Ask
}
export interface Filled extends CompanyOfContact {
  ask: Ask
  domains: string[]
  version: number
}

interface Known extends CompanyOfContact {
  found?: FoundCompany
}

export class Plan {
  /** The ids, domains and names to find, each once. */
  readonly keys: Key[] = []
  readonly made: Made[] = []
  readonly filled: Filled[] = []
  /** The company of each contact, in their order. */
  readonly companies: CompanyOfContact[] = []
  /** Companies that are chosen, and not locked yet: they have to be found again, by their ids. */
  readonly unlocked: { orgId: string; id: string }[] = []
  readonly #asked: readonly Ask[]
  readonly #places = new Map<string, Key>()
  readonly #known = new Map<string, Known>()

  /** `lockedToo`: companies that are locked with those that are found. */
  constructor(asked: readonly Ask[], lockedToo: Plan['unlocked'] = []) {
    this.#asked = asked
    for (const { orgId, id } of lockedToo) this.#want(keyOf(orgId, 'id', id), { org_id: orgId, id })
    for (const { orgId, wanted } of asked) {
      if ('id' in wanted) this.#want(keyOf(orgId, 'id', wanted.id), { org_id: orgId, id: wanted.id })
      else {
        const { name, domain } = wanted
        if (domain !== null) this.#want(keyOf(orgId, 'domain', domain), { org_id: orgId, domain })
        if (name !== null) this.#want(keyOf(orgId, 'name', name), { org_id: orgId, name }, domain !== null)
      }
    }
  }

  /** Whether all companies exist as they are wanted. */
  get isDone(): boolean {
    return this.made.length === 0 && this.filled.length === 0
  }

  /** Chooses or makes the company of each. */
  choose(found: readonly FoundCompany[]): void {
    this.#remember(found)
    for (const ask of this.#asked) {
      const { orgId, wanted } = ask
      const company = 'id' in wanted ? this.#known.get(keyOf(orgId, 'id', wanted.id)) : this.#choose(ask, wanted)
      if (company) this.companies.push(company)
    }
    const filled = new Set(this.filled.map(({ id }) => id))
    for (const { id, found } of this.companies as readonly Known[])
      if (found && !found.isLocked && !filled.has(id)) this.unlocked.push({ orgId: found.orgId, id })
  }

  /** Whether each has a company, which nobody can change meanwhile. */
  get isComplete(): boolean {
    return this.unlocked.length === 0 && this.companies.length === this.#asked.length
  }

  #remember(found: readonly FoundCompany[]): void {
    const at = new Map(found.map(company => [company.place, company]))
    const byId = new Map<string, Known>()
    for (const [name, { place }] of this.#places) {
      const company = at.get(place)
      if (!company) continue
      const { id, domain } = company
      // One object for each company, so that a domain that it gets is seen under its name as well.
      const known = byId.get(id) ?? { id, name: company.name, domain, found: company }
      byId.set(id, known)
      this.#known.set(name, known)
    }
  }

  #choose(ask: Ask, { name, domain, first }: NamedCompany): Known {
    const { orgId } = ask
    const holder = domain === null ? undefined : this.#known.get(keyOf(orgId, 'domain', domain))
    const namesake = name === null ? undefined : this.#known.get(keyOf(orgId, 'name', name))
    if (holder && first === 'domain') return holder
    const free = holder ? null : domain
    if (!namesake) return this.#make(ask, name ?? domain ?? '', free)
    if (free !== null && namesake.domain === null) return this.#fill(ask, namesake, free)
    return free === null || first === 'name' ? namesake : this.#make(ask, name ?? namesake.name, free)
  }

  #make(ask: Ask, name: string, domain: string | null): Known {
    const company: Known = { id: newId(), name, domain }
    this.made.push(Object.assign(company, { ask }))
    this.#know(ask.orgId, company)
    return company
  }

  #fill(ask: Ask, company: Known, domain: string): Known {
    company.domain = domain
    const { domains = [], version = 1 } = company.found ?? {}
    // One that is made now has it from the beginning.
    if (company.found) this.filled.push(Object.assign(company, { ask, domains, version }))
    this.#know(ask.orgId, company)
    return company
  }

  #know(orgId: string, company: Known): void {
    const names = [keyOf(orgId, 'name', company.name), ...(company.domain === null ? [] : [keyOf(orgId, 'domain', company.domain)])]
    // An older one keeps the name.
    for (const name of names) if (!this.#known.has(name)) this.#known.set(name, company)
  }

  #want(name: string, key: Omit<Key, 'place'>, mayFill = false): void {
    const known = this.#places.get(name)
    if (known) {
      // Locked as one that is only read, which is enough.
      if (!mayFill) delete known.may_fill
      return
    }
    const wanted: Key = { place: this.keys.length, ...key, ...(mayFill && { may_fill: true }) }
    this.keys.push(wanted)
    this.#places.set(name, wanted)
  }
}

// PostgreSQL compares names in lower case, too.
const keyOf = (orgId: string, kind: 'id' | 'domain' | 'name', key: string) => `${orgId} ${kind} ${key.toLowerCase()}`
