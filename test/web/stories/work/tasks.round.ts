// Tasks in as few steps as there can be: one line adds one, one click or one swipe ends one.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import type { Fixture, Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

// Longer than the time over which Chromium measures the speed of a finger.
const restMs = 200

const createTask = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }'

async function contact({ ask }: Fixture, owner: Person): Promise<string> {
  const { createContact } = await ask<{ createContact: { id: string } }>(
    owner,
    'mutation { createContact(input: { firstName: "Grace", lastName: "Hopper", email: "grace@example.com" }) { id } }',
  )
  return createContact.id
}

interface Standing {
  title: string
  status: string
  dueAt: string | null
  assigneeUserId: string | null
}

const standing = async ({ ask }: Fixture, owner: Person) =>
  (await ask<{ tasks: { nodes: Standing[] } }>(owner, '{ tasks(sort: CREATED_AT) { nodes { title status dueAt assigneeUserId } } }')).tasks
    .nodes

/** Tomorrow in the zone of the page, at an hour, as the server keeps it. */
const tomorrowAt = (page: Page, hour: number) =>
  page.evaluate(at => {
    const day = new Date()
    day.setDate(day.getDate() + 1)
    day.setHours(at, 0, 0, 0)
    return day.toISOString()
  }, hour)

tell({
  'one line adds a task that is due tomorrow at nine, to the person who types': async (fixture, look) => {
    const { open, person } = fixture
    const owner = await person()
    const id = await contact(fixture, owner)
    const page = await open(`/contacts/${id}`, { as: owner, timezoneId: 'Europe/Vienna' })
    await page.getByRole('tab', { name: 'Timeline' }).waitFor()
    await page.keyboard.press('t')
    const line = page.getByRole('textbox', { name: 'New task' })
    await line.waitFor()
    await page.keyboard.type('Call about the offer tomorrow 9')
    await page.getByText(/^Due .* 9:00 AM$/).waitFor()
    await look(page, 'task in one line')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Call about the offer', exact: true }).waitFor()
    const dueAt = await tomorrowAt(page, 9)
    assert.deepEqual(await standing(fixture, owner), [
      { title: 'Call about the offer', status: 'OPEN', dueAt, assigneeUserId: owner.userId },
    ])

    // The words stay in the title where somebody says so.
    await line.fill('Prepare friday')
    await page.getByRole('button', { name: /"friday" is no date/ }).click()
    await page.getByText(/^Due /).waitFor({ state: 'detached' })
    await line.press('Enter')
    await page.getByRole('button', { name: 'Prepare friday', exact: true }).waitFor()
    assert.equal((await standing(fixture, owner))[1]?.dueAt, null)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('button', { name: 'Prepare friday', exact: true }).waitFor({ state: 'detached' })
  },

  'the form reads a date in words, refuses other words, and has the calendar': async (fixture, look) => {
    const { open, person } = fixture
    const owner = await person()
    const id = await contact(fixture, owner)
    const page = await open(`/contacts/${id}?tab=tasks`, { as: owner, timezoneId: 'Europe/Vienna' })
    await page.getByRole('button', { name: 'Add task' }).click()
    const form = page.getByRole('dialog', { name: 'New task' })
    await form.getByLabel('Title').fill('Write to her')
    const due = form.getByRole('textbox', { name: 'Due', exact: true })
    await due.fill('soon')
    await form.getByRole('button', { name: 'Add task' }).click()
    await form.getByText(/This is not a date/).waitFor()
    assert.deepEqual(await standing(fixture, owner), [])
    await due.fill('tomorrow 14:30')
    await form.getByText(/ 2:30 PM$/).waitFor()
    await look(page, 'due date in words')
    await form.getByRole('button', { name: 'Due: choose in a calendar' }).click()
    const native = form.getByLabel('Due', { exact: true })
    assert.match(await native.inputValue(), /^\d{4}-\d\d-\d\dT14:30$/)
    await form.getByRole('button', { name: 'Add task' }).click()
    await form.waitFor({ state: 'detached' })
    const [task] = await standing(fixture, owner)
    assert.equal(new Date(task?.dueAt ?? '').getUTCMinutes(), 30)
  },

  'a task ends with one click: in the list, on the record and on Home': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contact(fixture, owner)
    const dueAt = new Date().toISOString()
    for (const title of ['In the list', 'On the record', 'On Home'])
      await ask(owner, createTask, { input: { contactId: id, title, dueAt, assigneeUserId: owner.userId } })
    const isDone = (title: string) =>
      eventually(async () => (await standing(fixture, owner)).find(task => task.title === title)?.status, 'DONE')

    const page = await open('/tasks', { as: owner })
    await page.getByRole('checkbox', { name: '"In the list" is done' }).click()
    await isDone('In the list')
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await standing(fixture, owner)).find(({ title }) => title === 'In the list')?.status, 'OPEN')

    await page.goto(`${fixture.server().url}/contacts/${id}?tab=tasks`)
    await page.getByRole('checkbox', { name: '"On the record" is done' }).click()
    await isDone('On the record')

    await page.goto(`${fixture.server().url}/`)
    await page.getByRole('checkbox', { name: '"On Home" is done' }).click()
    await isDone('On Home')
    await look(page, 'home with a task done')
    await page.getByRole('checkbox', { name: '"On Home" is done' }).waitFor({ state: 'detached' })
  },

  'tasks end by keys alone, and the keys are listed': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contact(fixture, owner)
    for (const [index, title] of ['First', 'Second', 'Third'].entries()) {
      const dueAt = new Date(Date.now() + index * 3_600_000).toISOString()
      await ask(owner, createTask, { input: { contactId: id, title, dueAt, assigneeUserId: owner.userId } })
    }
    const status = async (title: string) => (await standing(fixture, owner)).find(task => task.title === title)?.status
    const page = await open('/tasks', { as: owner })
    const cell = (row: number) => page.locator(`[data-cell="${row} 0"]`)
    await cell(2).waitFor()

    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const label of ['Next row', 'Previous row', 'Open or edit the cell in focus', 'Mark the task in focus as done'])
      await list.getByText(label, { exact: true }).waitFor()
    await look(page, 'keys of a list')
    // The dialog keeps its keys.
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })

    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.matches('[data-cell="0 0"]'))
    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.matches('[data-cell="1 0"]'))
    await page.keyboard.press('k')
    await page.keyboard.press('d')
    await eventually(() => status('First'), 'DONE')
    // The next task is where the first one was, and the key goes on with it.
    await cell(2).waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.matches('[data-cell="0 0"]'))
    await page.keyboard.press('d')
    await eventually(() => status('Second'), 'DONE')
    assert.equal(await status('Third'), 'OPEN')
  },

  'an arrow leads into the list while nothing has the focus': async ({ open, person }) => {
    const page = await open('/contacts', { as: await person({ demo: true }) })
    await page.waitForURL(url => url.searchParams.has('view'))
    await page.locator('[data-cell="3 0"]').waitFor()
    // The keys are loaded after the first rows.
    await eventually(async () => {
      await page.keyboard.press('ArrowDown')
      return page.evaluate(() => document.activeElement?.matches('[data-cell="0 0"]'))
    }, true)
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.matches('[data-cell="1 0"]'))
    // A menu keeps its arrows.
    await page.getByRole('button', { name: 'More for contacts' }).click()
    await page.getByRole('menuitem', { name: 'Duplicates' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.matches('[role=menuitem]'))
  },

  'on a phone one tap ends a task, on the record, on Home and in the inbox': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contact(fixture, owner)
    const input = { contactId: id, assigneeUserId: owner.userId }
    const dueAt = new Date().toISOString()
    await ask(owner, createTask, { input: { ...input, title: 'On the record', dueAt } })
    await ask(owner, createTask, { input: { ...input, title: 'On Home', dueAt } })
    await ask(owner, createTask, { input: { ...input, title: 'In the inbox', remindAt: new Date(Date.now() + 1000).toISOString() } })
    const page = await open(`/contacts/${id}?tab=tasks`, {
      as: owner,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const tap = async (title: string) => {
      const box = page.getByRole('checkbox', { name: `"${title}" is done` })
      await box.waitFor()
      await look(page, `phone ${title}`)
      await box.scrollIntoViewIfNeeded()
      const place = await box.locator('xpath=ancestor::label[1]').boundingBox()
      assert.ok(place && place.width >= 44 && place.height >= 44, `${title}: the place of the checkbox is smaller than a finger`)
      // At its edge, where a finger may land.
      await page.touchscreen.tap(place.x + 4, place.y + place.height - 4)
      await eventually(async () => (await standing(fixture, owner)).find(task => task.title === title)?.status, 'DONE')
    }
    await tap('On the record')
    await page.goto(`${fixture.server().url}/home?setup=false`)
    await tap('On Home')
    await page.goto(`${fixture.server().url}/inbox`)
    await tap('In the inbox')
    // The item is done with its task, and both come back.
    await page.getByText('Nothing waits for you.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('checkbox', { name: '"In the inbox" is done' }).waitFor()
    await eventually(async () => (await standing(fixture, owner)).find(({ title }) => title === 'In the inbox')?.status, 'OPEN')
  },

  'on a phone a swipe to the right ends a task, and so does its checkbox': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contact(fixture, owner)
    for (const title of ['Swiped', 'Ticked', 'Left alone'])
      await ask(owner, createTask, { input: { contactId: id, title, assigneeUserId: owner.userId } })
    const page = await open('/tasks', { as: owner, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const status = async (title: string) => (await standing(fixture, owner)).find(task => task.title === title)?.status
    const card = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await card('Swiped').waitFor()
    await look(page, 'tasks on a phone')
    const box = await card('Ticked').getByRole('checkbox').locator('..').boundingBox()
    assert.ok(box && box.width >= 44 && box.height >= 44, 'the place of the checkbox is smaller than a finger')

    const touch = await page.context().newCDPSession(page)
    const swipe = async (title: string, right: number, down: number) => {
      const at = await card(title).boundingBox()
      assert.ok(at)
      const from = { x: at.x + 120, y: at.y + 30 }
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
      for (let step = 1; step <= 8; step++) {
        const point = { x: from.x + (right * step) / 8, y: from.y + (down * step) / 8 }
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
      }
      // The finger rests before it leaves. Otherwise Chromium lets the list run on, and takes the next tap for what stops it.
      await sleep(restMs)
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    // Too short, and upright as a scroll: nothing.
    await swipe('Left alone', 40, 0)
    await swipe('Left alone', 30, 200)
    await swipe('Swiped', 180, 4)
    await eventually(() => status('Swiped'), 'DONE')
    // The others move up.
    await card('Swiped').waitFor({ state: 'detached' })
    await card('Ticked').getByRole('checkbox').tap()
    await eventually(() => status('Ticked'), 'DONE')
    assert.equal(await status('Left alone'), 'OPEN')
    assert.equal(new URL(page.url()).searchParams.get('open'), null)
  },
})
