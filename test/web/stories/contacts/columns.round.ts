// The columns of a table: a person widens, moves and hides them, and the browser keeps that.

import assert from 'node:assert/strict'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

tell({
  'columns are widened by dragging, moved and hidden, and are the same when the page is loaded again': async ({ open, person }) => {
    const page = await open('/contacts?sort=CREATED_AT', { as: await person({ demo: true }) })
    const headers = () => page.locator('thead th[draggable]').allInnerTexts()
    const email = page.getByRole('columnheader', { name: 'Email', exact: true })
    const width = async () => Math.round((await email.boundingBox())?.width ?? 0)
    const all = async () => (await headers()).map(text => text.trim()).slice(0, 4)
    await email.waitFor()
    assert.deepEqual(await all(), ['Name', 'Email', 'Company', 'Job title'])
    const before = await width()

    const box = await email.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width + 57, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    await eventually(width, before + 60)
    // The button is up: moving on changes nothing.
    await page.mouse.move(box.x + box.width + 150, box.y + box.height / 2)
    assert.equal(await width(), before + 60)

    await page.getByRole('columnheader', { name: 'Job title' }).dragTo(email)
    await eventually(all, ['Name', 'Job title', 'Email', 'Company'])
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Company', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Move Email up' }).click()
    const chosen = ['Name', 'Email', 'Job title', 'Stage']
    await eventually(all, chosen)
    await page.reload()
    await eventually(all, chosen)
    assert.equal(await width(), before + 60)

    const edge = await email.boundingBox()
    assert.ok(edge)
    await page.mouse.dblclick(edge.x + edge.width - 3, edge.y + edge.height / 2)
    await eventually(width, before)
  },
})
