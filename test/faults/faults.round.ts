// Injects faults that operators meet, and prints figures of each: time to recovery, and lost, doubled, wrong and hung requests.
//
//   npm run round -- faults                  every row, some minutes
//   SHORT=1 npm run round -- faults          the rows that take seconds
//   npm run round -- faults -t pgbouncer     the rows with the word in their file or name
//   POOLER=1 npm run round -- faults         servers reach PostgreSQL through PgBouncer, LISTEN and migrations past it
//
// Each file of rows/ exports one row (row.ts) and gets a lab (lab.ts) for it: PostgreSQL clusters, PgBouncer, Redis and servers of its own.

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLab } from './lab.ts'
import type { Figures, Row } from './row.ts'
import { isInstalled } from './tools.ts'

const isShort = process.env.SHORT === '1'
const isPooled = process.env.POOLER === '1'
const usual: Partial<Figures> = { recoveryMs: 15_000, lost: 0, doubled: 0, wrong: 0, hung: 0 }

for (const file of globSync('rows/**/*.ts', { cwd: import.meta.dirname }).toSorted()) {
  const { row } = (await import(join(import.meta.dirname, file))) as { row: Row }
  if ((isShort && !row.isShort) || (isPooled && row.isDirect)) continue
  test(`${file}: ${row.name}`, async ({ skip }) => {
    const lacking = await lackingFor(row)
    if (lacking) skip(lacking)
    await hold(row)
  })
}

async function lackingFor(row: Row): Promise<string | undefined> {
  const missing = [...new Set([...(row.needs ?? []), ...(isPooled ? ['pgbouncer' as const] : [])])].filter(tool => !isInstalled(tool))
  return missing.length > 0 ? `${missing.join(' and ')} is not installed` : await row.lacks?.()
}

async function hold(row: Row): Promise<void> {
  const lab = openLab({ isPooled })
  try {
    const figures = await row.run(lab)
    console.log(
      Object.entries(figures)
        .map(([name, value]) => `${name} ${value === undefined ? '-' : Math.round(value)}`)
        .join(', '),
    )
    const broken = Object.entries({ ...usual, ...row.limits }).flatMap(([name, most]) => {
      const value = figures[name]
      return most !== undefined && value !== undefined && !(value <= most) ? [`${name} is ${value}, it may be ${most}`] : []
    })
    expect(broken).toEqual([])
  } catch (error) {
    console.log(lab.findings().join('\n'))
    throw error
  } finally {
    await lab.close()
  }
}
