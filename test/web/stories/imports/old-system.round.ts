// An old system is brought along: its exports are imported together, again, and taken back.

import assert from 'node:assert/strict'
import { hubspot } from '../../../contacts/imports/systems/exports.ts'
import { importFiles } from '../../support/import-files.ts'
import { tell } from '../../support/story.ts'

tell({
  'five files of HubSpot are imported together, linked, imported again without a change, and undone': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    await ask(owner, 'mutation { setOrganizationCurrency(input: { currency: "EUR" }) { currency } }')
    const page = await open('/imports', { as: owner })
    const looks = new Map([
      ['company', 'import files'],
      ['deal', 'import values of deals'],
    ])
    const first = await importFiles(page, 'HubSpot', hubspot, {
      columns: async ({ noun }) => (noun === 'company' ? look(page, looks.get(noun) ?? '') : undefined),
      values: async ({ noun }) => (noun === 'deal' ? look(page, looks.get(noun) ?? '') : undefined),
    })
    await look(page, 'import of files done')
    const { deals } = await ask<{ deals: { nodes: { title: string; company: { name: string } }[] } }>(
      owner,
      '{ deals(first: 10) { nodes { title company { name } } } }',
    )
    assert.deepEqual(deals.nodes.map(({ title, company }) => [title, company.name]).toSorted(), [
      ['Licences', 'Nord Oy'],
      ['Pilot', 'Nord Oy'],
      ['Trucks', 'Kade BV'],
    ])

    await page.getByRole('link', { name: 'All imports' }).click()
    const said: string[] = []
    await importFiles(page, 'HubSpot', hubspot, { check: async (_file, counts) => void said.push(counts) })
    await look(page, 'import of files again')
    assert.deepEqual(said, [
      '0 new companies, 2 stay unchanged',
      '0 new contacts, 3 stay unchanged',
      '0 new deals, 3 stay unchanged',
      '0 new notes, 2 stay unchanged',
      '0 new tasks, 2 stay unchanged',
    ])
    // Nothing was written, so nothing is to be undone.
    assert.equal(await page.getByRole('button', { name: 'Undo this import' }).count(), 0)

    await page.goto(first)
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('button', { name: 'Undo import' }).click()
    for (const counts of ['2 companies deleted.', '3 contacts deleted.', '3 deals deleted.', '2 notes deleted.', '2 tasks deleted.'])
      await page.getByText(counts).waitFor()
    await look(page, 'import of files undone')
  },
})
