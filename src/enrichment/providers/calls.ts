// calls: what people said about themselves on the telephone, with the line of the transcript that says it.

import { z } from 'zod'
import { statement } from '../../database/client.ts'
import { customKeyOf, fieldNamed } from '../field.ts'
import { type Finding, nothing, type Provider } from '../provider.ts'

const options = z.strictObject({
  /** Calls that are looked at, the latest first. */
  latest: z.number().int().min(1).max(50).default(5),
})

export interface CallRecord {
  id: string
  contactId: string | null
  extracted: Record<string, unknown>
  transcript: readonly unknown[]
}

const columns = 'id, contact_id as "contactId", extracted, transcript'
const selectCalls = statement<CallRecord>(
  'enrichment_calls',
  `select ${columns} from calls where org_id = $1 and contact_id = $2 and extracted <> '{}' order by created_at desc, id desc limit $3`,
)
/** A call by its id. */
export const selectCall = statement<CallRecord>('enrichment_call', `select ${columns} from calls where org_id = $1 and id = $2`)

export const calls: Provider<z.output<typeof options>> = {
  options,
  async run({ contactId, options: { latest }, context }) {
    const { principal } = context
    if (contactId === null || principal.kind !== 'system') return nothing()
    const found = await context.db.query(selectCalls, [principal.orgId, contactId, latest])
    const findings = new Map<string, Finding>()
    for (const call of found) for (const finding of findingsOf(call)) if (!findings.has(finding.field)) findings.set(finding.field, finding)
    return { findings: [...findings.values()], detail: { calls: found.length } }
  },
}

/** The values taken from a call. One whose words stand in the transcript is surer than one that was concluded. */
export function findingsOf({ extracted, transcript }: CallRecord): Finding[] {
  const lines = linesOf(transcript)
  return Object.entries(extracted).flatMap(([name, value]) => {
    if (value === null || value === '' || typeof value === 'object') return []
    const line = lineWith(lines, String(value))
    const said = line?.role === 'user'
    return [
      {
        field: customKeyOf(name) ? name : fieldNamed(name),
        value: typeof value === 'string' ? value.trim() : value,
        confidence: said ? 0.85 : line ? 0.7 : 0.5,
        verification: said ? ('probable' as const) : ('unverified' as const),
        evidence: line ? `${line.role}: ${line.text}`.slice(0, 1000) : null,
      },
    ]
  })
}

interface Line {
  role: string
  text: string
}

const linesOf = (transcript: readonly unknown[]): Line[] =>
  transcript.flatMap(line => {
    const { role, text } = (line ?? {}) as Record<string, unknown>
    return typeof role === 'string' && typeof text === 'string' ? [{ role, text }] : []
  })

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** The last line in which the value stands, however it is written; the other person's before our agent's. */
function lineWith(lines: readonly Line[], value: string): Line | undefined {
  const words = plain(value)
  if (words.length < 2) return undefined
  const having = lines.filter(({ text }) => plain(text).includes(words))
  return having.findLast(({ role }) => role === 'user') ?? having.at(-1)
}
