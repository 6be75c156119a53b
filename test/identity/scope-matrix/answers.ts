// Asks every question with one credential, and tells which marks stood in the text of any answer.

import pMap from 'p-map'
import type { Scope } from '../../../src/kernel/principal.ts'
import { type Kind, kinds, mayBeSeenWith, type Seeded, seenIn } from './marked.ts'
import { graphqlQuestions, type Question, restQuestions } from './questions.ts'

export interface Answers {
  /** What was seen in any of them. */
  seen: Kind[]
  /** What the credential must not see, and where it stood. */
  leaks: string[]
}

export const allowedWith = (scope: Scope): Kind[] => kinds.filter(kind => (mayBeSeenWith[kind] as readonly Scope[]).includes(scope))

/** `allowed`: what may be seen with the key, or the session token. */
export async function answersTo(url: string, key: string, allowed: readonly Kind[], seeded: Seeded): Promise<Answers> {
  const seen = new Set<Kind>()
  const leaks: string[] = []
  const ask = async (question: Question) => {
    const found = seenIn(await textOf(url, key, question), seeded)
    for (const kind of found) seen.add(kind)
    const foreign = found.filter(kind => !allowed.includes(kind))
    if (foreign.length > 0) leaks.push(`${foreign} in ${question.path} ${JSON.stringify(question.body ?? '')}`)
  }
  for (const question of restQuestions(seeded.ids)) await ask(question)
  await pMap(graphqlQuestions(seeded.ids), query => ask({ method: 'POST', path: '/graphql', body: { query } }), { concurrency: 8 })
  return { leaks, seen: kinds.filter(kind => seen.has(kind)) }
}

/** The answer's whole text, as it came. */
async function textOf(url: string, key: string, { method, path, body }: Question): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return response.text()
}
