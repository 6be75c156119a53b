// An old system is brought along: its exports are imported together, and again.

import assert from 'node:assert/strict'
import { type ExportedFile, google, hubspot, linkedin, outlook, pipedrive, salesforce } from '../../../contacts/imports/systems/exports.ts'
import { tell } from '../../support/story.ts'

const dropped = (files: readonly ExportedFile[]) => files.map(({ name, content }) => ({ name, mimeType: 'text/csv', buffer: content }))
const euros = 'mutation { setOrganizationCurrency(input: { currency: "EUR" }) { currency } }'

tell({
  'five files of HubSpot are imported together, linked, and imported again without a change': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, euros)
    const page = await open('/imports', { as: owner })
    const importAll = async (round: string) => {
      await page.locator('input[type=file]').setInputFiles(dropped(hubspot))
      await page.waitForURL(/\/imports\/[\da-f-]{36}$/)
      await page.getByText('This is an export of HubSpot.').waitFor()
      const files = page.getByRole('navigation', { name: 'Files' })
      assert.equal(await files.getByRole('button').count(), 5)
      if (round === 'first') await look(page, 'import files')
      for (const next of ['Next file: Contacts', 'Next file: Deals', 'Next file: Notes', 'Next file: Tasks', 'Import all 5 files']) {
        await page.getByRole('combobox', { name: 'Field of the column Record ID' }).waitFor()
        await page.getByRole('button', { name: 'Next', exact: true }).click()
        const step = page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]')
        await page.getByRole('button', { name: next }).or(page.getByText('Say once what each means')).waitFor()
        if ((await step.textContent())?.includes('Values')) {
          if (round === 'first' && next === 'Next file: Notes') await look(page, 'import values of deals')
          await page.getByRole('button', { name: 'Next', exact: true }).click()
        }
        await page.getByRole('button', { name: next }).waitFor()
        await page.getByRole('button', { name: next }).click()
      }
      await page.getByRole('region', { name: 'hubspot-tasks.csv' }).getByText('Imported', { exact: true }).waitFor()
    }

    await importAll('first')
    await look(page, 'import of files done')
    const { deals } = await ask<{ deals: { nodes: { title: string; company: { name: string } }[] } }>(
      owner,
      '{ deals(first: 10) { nodes { title company { name } } } }',
    )
    await page.getByRole('link', { name: 'All imports' }).click()
    await importAll('again')
    await look(page, 'import of files again')

    assert.deepEqual(deals.nodes.map(({ title, company }) => [title, company.name]).toSorted(), [
      ['Licences', 'Nord Oy'],
      ['Pilot', 'Nord Oy'],
      ['Trucks', 'Kade BV'],
    ])
    const { contactImports } = await ask<{ contactImports: { nodes: Record<string, number>[] } }>(
      owner,
      '{ contactImports(first: 5) { nodes { createdCount updatedCount refusedCount skippedCount } } }',
    )
    assert.deepEqual(
      contactImports.nodes.map(({ createdCount, updatedCount, refusedCount }) => [createdCount, updatedCount, refusedCount]),
      Array.from({ length: 5 }, () => [0, 0, 0]),
    )
  },

  'exports of the other systems are recognised by their headers': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, euros)
    for (const [system, files] of Object.entries({
      Salesforce: salesforce,
      Pipedrive: pipedrive,
      'Google Contacts': google,
      Outlook: outlook,
      LinkedIn: linkedin,
    })) {
      const page = await open('/imports', { as: owner })
      await page.locator('input[type=file]').setInputFiles(dropped(files))
      await page.getByText(`This is an export of ${system}.`).waitFor()
    }
  },
})
