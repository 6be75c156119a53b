// calls: values extracted from the contact's calls, each with the line of the transcript as evidence.

import { z } from 'zod'
import { fieldNamed } from '../../kernel/input/case.ts'
import { shorten } from '../../kernel/input/cut.ts'
import { type Finding, nothing, type Provider } from './provider.ts'

const options = z.strictObject({
  /** The number of latest calls to read. */
  latest: z.number().int().min(1).max(50).default(5),
})

export const calls: Provider<z.output<typeof options>> = {
  options,
  isLocal: true,
  async run({ contactId, options: { latest }, context }) {
    const { principal } = context
    if (contactId === null || principal.kind !== 'system' || principal.orgId === null) return nothing()
    const found = await context.db.prisma.call.findMany({
      where: { orgId: principal.orgId, contactId, extracted: { not: {} } },
      select: { id: true, extracted: true, agentId: true, agentVersion: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: latest,
    })
    const said = await context.db.prisma.callTranscript.findMany({
      where: { orgId: principal.orgId, id: { in: found.map(({ id }) => id) } },
      select: { id: true, lines: true },
    })
    const versions = await context.db.prisma.voiceAgentVersion.findMany({
      where: { OR: found.map(({ agentId, agentVersion: version }) => ({ agentId, version })) },
      select: { agentId: true, version: true, setup: true },
    })
    const extractionOf = new Map(
      versions.map(({ agentId, version, setup }) => [`${agentId} ${version}`, (setup as Setup).extraction ?? null]),
    )
    const transcripts = new Map(said.map(({ id, lines }) => [id, lines]))
    const findings = new Map<string, Finding>()
    for (const { id, extracted, agentId, agentVersion } of found) {
      const extraction = extractionOf.get(`${agentId} ${agentVersion}`) ?? null
      for (const finding of findingsOf({ extracted, extraction, transcript: transcripts.get(id) }))
        if (!findings.has(finding.field)) findings.set(finding.field, finding)
    }
    return { findings: [...findings.values()], detail: { calls: found.length } }
  },
}

/** The targets of the fields to extract. */
export type Extraction = Readonly<Record<string, { field?: string | null }>>

interface Told {
  extracted: unknown
  transcript: unknown
  /** Of the version of the agent that placed the call. */
  extraction: Extraction | null
}

/** The values extracted from a call, for the fields that its agent names. Those that occur in the transcript have a higher confidence. */
export function findingsOf({ extracted, transcript, extraction }: Told): Finding[] {
  const lines = linesOf(transcript)
  return Object.entries(extracted ?? {}).flatMap(([name, value]) => {
    if (value === null || value === '' || typeof value === 'object') return []
    const target = extraction && Object.hasOwn(extraction, name) ? extraction[name]?.field : undefined
    if (target === null) return []
    const line = lineWith(lines, String(value))
    const isSaidByContact = line?.role === 'user'
    return [
      {
        field: fieldNamed(target ?? name),
        value: typeof value === 'string' ? value.trim() : value,
        confidence: isSaidByContact ? 0.85 : line ? 0.7 : 0.5,
        verification: isSaidByContact ? ('probable' as const) : ('unverified' as const),
        evidence: line ? shorten(`${line.role}: ${line.text}`, 1000) : null,
      },
    ]
  })
}

/** The part of an agent's version that is read here. A type, because the column is JSON. */
type Setup = { extraction?: Extraction }

interface Line {
  role: string
  text: string
}

const linesOf = (transcript: unknown): Line[] =>
  (Array.isArray(transcript) ? transcript : []).flatMap(line => {
    const { role, text } = (line ?? {}) as Record<string, unknown>
    return typeof role === 'string' && typeof text === 'string' ? [{ role, text }] : []
  })

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** The last line that contains the value, ignoring case and punctuation. Lines of the contact are preferred to lines of the agent. */
function lineWith(lines: readonly Line[], value: string): Line | undefined {
  const words = plain(value)
  if (words.length < 2) return undefined
  const having = lines.filter(({ text }) => plain(text).includes(words))
  return having.findLast(({ role }) => role === 'user') ?? having.at(-1)
}
