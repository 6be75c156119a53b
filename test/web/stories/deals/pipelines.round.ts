// The settings of pipelines: stages are added, changed, ordered and deleted, and their deals go where somebody says.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

const createDeal = 'mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }'
const readPipelines = '{ pipelines { name stages { id name kind probability staleAfterDays } } dealSettings { lostReasons } }'

interface Read {
  pipelines: { name: string; stages: { id: string; name: string; kind: string; probability: number; staleAfterDays: number | null }[] }[]
  dealSettings: { lostReasons: string[] }
}

tell({
  'an owner changes the stages of a pipeline, and deletes one whose deals move': async ({ open, person, ask }, look) => {
    const owner = await person()
    const read = () => ask<Read>(owner, readPipelines)
    const proposal = (await read()).pipelines[0]?.stages.find(({ name }) => name === 'Proposal')
    const { createDeal: deal } = await ask<{ createDeal: { id: string } }>(owner, createDeal, {
      input: { title: 'Renewal', stageId: proposal?.id },
    })
    const page = await open('/settings/pipelines', { as: owner })
    const changes = async (action: () => Promise<void>, isDone: (read: Read) => boolean) => {
      await action()
      for (let turn = 0; turn < 50; turn++) {
        if (isDone(await read())) return
        await page.waitForTimeout(100)
      }
      assert.fail('the change has not arrived')
    }
    const stages = ({ pipelines }: Read) => pipelines[0]?.stages ?? []
    await page.getByRole('textbox', { name: 'Name of Lead' }).waitFor()
    await look(page, 'pipelines')
    await changes(
      async () => {
        await page.getByRole('textbox', { name: 'Name of Lead' }).fill('Inquiry')
        await page.keyboard.press('Enter')
      },
      answer => stages(answer)[0]?.name === 'Inquiry',
    )
    await changes(
      async () => {
        await page.getByRole('textbox', { name: 'Chance of Inquiry in percent' }).fill('15')
        await page.keyboard.press('Enter')
      },
      answer => stages(answer)[0]?.probability === 15,
    )
    await changes(
      () => page.getByRole('button', { name: 'Move Inquiry down' }).click(),
      answer => stages(answer)[1]?.name === 'Inquiry',
    )
    await page.getByRole('button', { name: 'New stage' }).click()
    const form = page.getByRole('dialog', { name: 'New stage of Sales' })
    await form.getByRole('button', { name: 'Create stage' }).click()
    await form.getByText('Enter a name').waitFor()
    await form.getByRole('textbox', { name: 'Name' }).fill('Contract')
    await changes(
      () => form.getByRole('button', { name: 'Create stage' }).click(),
      answer => stages(answer).some(({ name }) => name === 'Contract'),
    )
    await form.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: 'Delete Proposal' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Proposal' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('alert').waitFor()
    await question
      .getByRole('combobox', { name: 'Move its deals to' })
      .or(question.getByRole('textbox', { name: 'Move its deals to' }))
      .first()
      .click()
    await page.getByRole('option', { name: 'Contract' }).click()
    await look(page, 'pipelines delete a stage')
    await changes(
      () => question.getByRole('button', { name: 'Delete' }).click(),
      answer => !stages(answer).some(({ name }) => name === 'Proposal'),
    )
    const { deal: moved } = await ask<{ deal: { stage: { name: string } } }>(
      owner,
      'query ($id: ID!) { deal(id: $id) { stage { name } } }',
      {
        id: deal.id,
      },
    )
    assert.equal(moved.stage.name, 'Contract')

    await page.getByLabel('Reasons', { exact: true }).first().click()
    for (const reason of ['Price', 'Timing']) {
      await page.keyboard.type(reason)
      await page.keyboard.press('Enter')
    }
    await changes(
      () => page.getByRole('button', { name: 'Save reasons' }).click(),
      ({ dealSettings }) => dealSettings.lostReasons.join() === 'Price,Timing',
    )
    await page.getByRole('button', { name: 'New pipeline' }).click()
    await page.getByRole('dialog', { name: 'New pipeline' }).getByRole('textbox', { name: 'Name' }).fill('Partners')
    await changes(
      () => page.getByRole('button', { name: 'Create pipeline' }).click(),
      ({ pipelines }) => pipelines[1]?.name === 'Partners',
    )
    await page.getByRole('button', { name: 'Delete Partners' }).waitFor()
  },
})
