// The exports of each other system: looked at, imported, imported again without a change, and taken back.

import assert from 'node:assert/strict'
import { type ExportedFile, google, linkedin, outlook, pipedrive, salesforce } from '../../../contacts/imports/systems/exports.ts'
import type { Fixture } from '../../support/fixture.ts'
import { importFiles } from '../../support/import-files.ts'
import type { Look } from '../../support/look.ts'
import { tell } from '../../support/story.ts'

interface System {
  files: readonly ExportedFile[]
  /** Values of the first file that its columns show as examples. */
  examples: readonly string[]
  /** A record of the import, and where it is listed. */
  shown: readonly [place: string, text: string]
}

const systems: Readonly<Record<string, System>> = {
  Salesforce: { files: salesforce, examples: ['Bäcker & Söhne', 'sud.example'], shown: ['/deals', 'Ovens'] },
  Pipedrive: { files: pipedrive, examples: ['Ost GmbH', 'Austria'], shown: ['/deals', 'Windows'] },
  'Google Contacts': { files: google, examples: ['hal@moor.example', 'Moor Inc'], shown: ['/contacts', 'hal@moor.example'] },
  Outlook: { files: outlook, examples: ['Jürg', 'Käser'], shown: ['/contacts', 'juerg@zbinden.example'] },
  LinkedIn: { files: linkedin, examples: ['Head of Sales', 'Berg AG'], shown: ['/contacts', 'max@tal.example'] },
}
const nouns = {
  company: ['company', 'companies'],
  contact: ['contact', 'contacts'],
  deal: ['deal', 'deals'],
  note: ['note', 'notes'],
  task: ['task', 'tasks'],
} as const
const counted = (count: number, noun: ExportedFile['noun'], adjective = '') => `${count} ${adjective}${nouns[noun][count === 1 ? 0 : 1]}`

const story =
  (system: string, { files, examples, shown: [place, text] }: System) =>
  async ({ open, person, ask }: Fixture, look: Look) => {
    const owner = await person()
    await ask(owner, 'mutation { setOrganizationCurrency(input: { currency: "EUR" }) { currency } }')
    const page = await open('/imports', { as: owner })

    const checks: string[] = []
    const first = await importFiles(page, system, files, {
      async columns(file) {
        if (file === files[0]) for (const example of examples) await page.getByText(example).first().waitFor()
      },
      check: async (_file, counts) => void checks.push(counts),
    })
    await look(page, `import of ${system} done`)
    const again: string[] = []
    await page.getByRole('link', { name: 'All imports' }).click()
    await importFiles(page, system, files, { check: async (_file, counts) => void again.push(counts) })

    assert.deepEqual(
      checks,
      files.map(({ rows, noun }) => counted(rows, noun, 'new ')),
    )
    assert.deepEqual(
      again,
      files.map(({ rows, noun }) => `0 new ${nouns[noun][1]}, ${rows} ${rows === 1 ? 'stays' : 'stay'} unchanged`),
    )
    await page.goto(new URL(place, page.url()).href)
    await page.getByText(text).first().waitFor()

    await page.goto(first)
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('button', { name: 'Undo import' }).click()
    for (const { rows, noun } of files) await page.getByText(`${counted(rows, noun)} deleted`).waitFor()
    await page.goto(new URL(place, page.url()).href)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(text).waitFor({ state: 'detached' })
  }

tell(Object.fromEntries(Object.entries(systems).map(([system, data]) => [`${system}: its exports, twice and back`, story(system, data)])))
