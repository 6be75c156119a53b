// Imports files in the page of imports: drops them, goes through their steps, and waits for the end.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { ExportedFile } from '../../contacts/imports/systems/exports.ts'

const words = { company: 'Companies', contact: 'Contacts', deal: 'Deals', note: 'Notes', task: 'Tasks' } as const

export interface ImportSteps {
  /** The example values under the columns of a file, as they are shown. */
  columns?(file: ExportedFile): Promise<void>
  values?(file: ExportedFile): Promise<void>
  /** The sentence of the check. */
  check?(file: ExportedFile, counts: string): Promise<void>
}

/** Imports the files of a system together, in the order in which the page asks for them. Returns the address of the import. */
export async function importFiles(page: Page, system: string, files: readonly ExportedFile[], steps: ImportSteps = {}): Promise<string> {
  await page.locator('input[type=file]').setInputFiles(files.map(({ name, content }) => ({ name, mimeType: 'text/csv', buffer: content })))
  await page.waitForURL(/\/imports\/[\da-f-]{36}$/)
  for (const [index, file] of files.entries()) {
    const next = files[index + 1]
    const label = next
      ? `Next file: ${words[next.noun]}`
      : files.length > 1
        ? `Import all ${files.length} files`
        : `Import ${file.rows} ${file.rows === 1 ? 'row' : 'rows'}`
    await page.getByText(`This is an export of ${system}.`).waitFor()
    if (files.length > 1) assert.equal(await page.getByRole('navigation', { name: 'Files' }).getByRole('button').count(), files.length)
    await page
      .getByRole('combobox', { name: /^Field of the column/ })
      .first()
      .waitFor()
    await steps.columns?.(file)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    const step = page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]')
    await page.getByRole('button', { name: label }).or(page.getByText('Say once what each means')).first().waitFor()
    if ((await step.textContent())?.includes('Values')) {
      await steps.values?.(file)
      await page.getByRole('button', { name: 'Next', exact: true }).click()
    }
    await page.getByRole('button', { name: label }).waitFor()
    const counts = page.getByText(/^\d+ new /)
    await counts.waitFor()
    await steps.check?.(file, (await counts.textContent()) ?? '')
    await page.getByRole('button', { name: label }).click()
  }
  const last = files.at(-1)
  const place = files.length > 1 && last ? page.getByRole('region', { name: last.name }) : page
  await place.getByText('Imported', { exact: true }).first().waitFor()
  return page.url()
}
