// Pipelines, their stages, and the settings of deals.

import { describe, expect, test } from 'vitest'
import { seedDemo } from '../../../prisma/seed/seed.ts'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { type Client, problemsOf } from '../client.ts'
import { member } from '../companies/companies.ts'

const app = await openApp()
const rest = conforming(app)

const whole = 'id name position version stages { id pipelineId name position kind probability staleAfterDays }'
const pipelinesOf = async (on: Client): Promise<Json[]> => (await on.data(`{ pipelines { ${whole} } }`)).pipelines
const write = async (on: Client, name: string, input: Json): Promise<Json> =>
  (await on.data(`mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${whole} } }`, { input }))[
    name
  ]
const refused = (on: Client, name: string, input: Json): Promise<Json> =>
  on.error(`mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { id } }`, { input })
const names = ({ stages }: Json): string[] => stages.map(({ name }: Json) => name)
const usual = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost']

async function admin() {
  const { on, ...rest } = await member(app)
  const [pipeline] = await pipelinesOf(on)
  const [lead, qualified, proposal, negotiation, won, lost] = pipeline?.stages ?? []
  return { on, ...rest, pipeline: pipeline as Json, stages: { lead, qualified, proposal, negotiation, won, lost } }
}

describe('every organization', () => {
  test('has one pipeline with six stages from its beginning', async () => {
    const { on, session } = await admin()
    const [pipeline, ...others] = await pipelinesOf(on)
    const { createOrganization: second } = await on.data('mutation { createOrganization(input: { name: "Second" }) { id } }')
    const inSecond = await app.graphql(`{ pipelines { ${whole} } }`, {}, { session, headers: { 'x-org-id': second.id } })
    const ofSecond: Json[] = inSecond.body.data.pipelines

    expect(others).toEqual([])
    expect(pipeline).toMatchObject({ name: 'Sales', position: 0, version: 1 })
    expect(pipeline?.stages.map(({ id: _, pipelineId, ...stage }: Json) => ({ ...stage, isOwn: pipelineId === pipeline.id }))).toEqual([
      { name: 'Lead', position: 0, kind: 'OPEN', probability: 10, staleAfterDays: 30, isOwn: true },
      { name: 'Qualified', position: 1, kind: 'OPEN', probability: 25, staleAfterDays: 30, isOwn: true },
      { name: 'Proposal', position: 2, kind: 'OPEN', probability: 50, staleAfterDays: 30, isOwn: true },
      { name: 'Negotiation', position: 3, kind: 'OPEN', probability: 75, staleAfterDays: 30, isOwn: true },
      { name: 'Won', position: 4, kind: 'WON', probability: 100, staleAfterDays: null, isOwn: true },
      { name: 'Lost', position: 5, kind: 'LOST', probability: 0, staleAfterDays: null, isOwn: true },
    ])
    expect(ofSecond.map(names)).toEqual([usual])
    expect(ofSecond[0]?.id).not.toBe(pipeline?.id)
  })

  test('has it where a seed or the first start has made it', async () => {
    await seedDemo(app.services)

    expect(
      await query(
        app.database.url,
        'select id from organizations where not exists (select from pipelines where org_id = organizations.id)',
      ),
    ).toEqual([])
  })
})

describe('pipelines', () => {
  test('are added, renamed, put into another order and deleted, but never the last one', async () => {
    const { on, pipeline } = await admin()
    const added = await write(on, 'createPipeline', { name: ' Partners ' })
    const moved = await write(on, 'updatePipeline', { id: added.id, ifVersion: 1, position: 0 })
    const same = await write(on, 'updatePipeline', { id: added.id, name: 'Partners' })
    const stale = await refused(on, 'updatePipeline', { id: added.id, ifVersion: 1, name: 'Late' })
    const order = (await pipelinesOf(on)).map(({ name, position }) => [name, position])
    await write(on, 'deletePipeline', { id: pipeline.id, ifVersion: 1 })
    const last = await refused(on, 'deletePipeline', { id: added.id })

    expect(added).toMatchObject({ name: 'Partners', position: 1 })
    expect(names(added)).toEqual(usual)
    expect(moved).toMatchObject({ position: 0, version: 2 })
    expect(same).toMatchObject({ version: 2 })
    expect(stale).toMatchObject({ code: 'PRECONDITION_FAILED', version: 2 })
    expect(order).toEqual([
      ['Partners', 0],
      ['Sales', 1],
    ])
    expect(last).toMatchObject({ code: 'CONFLICT', status: 409 })
    expect((await pipelinesOf(on)).map(({ name }) => name)).toEqual(['Partners'])
  })

  test('of another organization do not exist', async () => {
    const [{ on }, { pipeline, stages }] = [await admin(), await admin()]

    for (const [name, input] of [
      ['updatePipeline', { id: pipeline.id, name: 'Mine' }],
      ['deletePipeline', { id: pipeline.id }],
      ['createStage', { pipelineId: pipeline.id, name: 'Mine' }],
      ['updateStage', { id: stages.lead.id, name: 'Mine' }],
      ['reorderStages', { pipelineId: pipeline.id, stageIds: [] }],
      ['deleteStage', { id: stages.lead.id }],
    ] as const)
      expect(await refused(on, name, input), name).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('are read through REST, and their changes are events with the pipeline', async () => {
    const { on, session, pipeline, stages } = await admin()
    await write(on, 'updateStage', { id: stages.lead.id, name: 'New' })
    const list = await rest('GET', '/api/crm/v1/pipelines', { session })
    const one = await rest('GET', `/api/crm/v1/pipelines/${pipeline.id}`, { session })
    const [event] = await query(app.database.url, `select type, changes from events where entity_id = '${pipeline.id}'`)

    expect(list).toMatchObject({
      status: 200,
      body: {
        has_more: false,
        data: [{ id: pipeline.id, stages: [{ name: 'New', stale_after_days: 30, kind: 'open' }, {}, {}, {}, {}, {}] }],
      },
    })
    expect(one.body).toEqual(list.body.data[0])
    expect(event).toMatchObject({
      type: 'pipeline.updated',
      changes: {
        stages: [
          [{ name: 'Lead' }, {}, {}, {}, {}, {}],
          [{ name: 'New' }, {}, {}, {}, {}, {}],
        ],
      },
    })
  })
})

describe('stages', () => {
  test('are added behind the last one of their kind or at a place, changed and put into another order', async () => {
    const { on, pipeline, stages } = await admin()
    const input = { pipelineId: pipeline.id }
    const open = await write(on, 'createStage', { ...input, name: 'Trial', ifVersion: 1 })
    const won = await write(on, 'createStage', { ...input, name: 'Renewed', kind: 'WON' })
    const first = await write(on, 'createStage', { ...input, name: 'Inbox', position: 0, probability: 1, staleAfterDays: 3 })
    const changed = await write(on, 'updateStage', {
      id: stages.lead.id,
      ifVersion: 4,
      name: 'Called',
      probability: 12,
      staleAfterDays: null,
    })
    const same = await write(on, 'updateStage', { id: stages.lead.id, name: 'Called' })
    const ids = same.stages.map(({ id }: Json) => id).toReversed()
    const reversed = await write(on, 'reorderStages', { ...input, stageIds: ids })

    expect(names(open)).toEqual(['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Trial', 'Won', 'Lost'])
    expect(open.stages[4]).toMatchObject({ probability: 50, staleAfterDays: null, position: 4 })
    expect(names(won)).toEqual(['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Trial', 'Won', 'Renewed', 'Lost'])
    expect(first.stages[0]).toMatchObject({ name: 'Inbox', probability: 1, staleAfterDays: 3 })
    expect(changed.stages[1]).toMatchObject({ name: 'Called', probability: 12, staleAfterDays: null, position: 1 })
    expect([changed.version, same.version]).toEqual([5, 5])
    expect(reversed.stages.map(({ id }: Json) => id)).toEqual(ids)
    expect(reversed.stages.map(({ position }: Json) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('always are an open, a won and a lost one: the last of a kind is not deleted', async () => {
    const { on, pipeline, stages } = await admin()
    for (const stage of [stages.lead, stages.qualified, stages.proposal]) await write(on, 'deleteStage', { id: stage.id })

    for (const stage of [stages.negotiation, stages.won, stages.lost])
      expect(await refused(on, 'deleteStage', { id: stage.id })).toMatchObject({ code: 'CONFLICT', status: 409 })
    expect((await pipelinesOf(on)).map(names)).toEqual([['Negotiation', 'Won', 'Lost']])
    expect(await refused(on, 'deleteStage', { id: stages.lead.id })).toMatchObject({ code: 'NOT_FOUND' })
    await write(on, 'createStage', { pipelineId: pipeline.id, name: 'Second' })
    // Two at once: one of them stays.
    const ids = (await pipelinesOf(on))[0]?.stages.filter(({ kind }: Json) => kind === 'OPEN').map(({ id }: Json) => id)
    await Promise.all(ids.map((id: string) => on.ask(`mutation { deleteStage(input: { id: "${id}" }) { id } }`)))
    expect((await pipelinesOf(on))[0]?.stages).toHaveLength(3)
  })

  const bad: readonly (readonly [string, Json, string])[] = [
    ['a blank name', { name: ' ' }, 'name: String should have at least 1 character'],
    ['a long name', { name: 'x'.repeat(101) }, 'name: String should have at most 100 characters'],
    ['a high probability', { probability: 101 }, 'probability: Value error, it is a percentage from 0 to 100'],
    ['a negative probability', { probability: -1 }, 'probability: Value error, it is a percentage from 0 to 100'],
    ['no days', { staleAfterDays: 0 }, 'staleAfterDays: Value error, it is a number of days from 1 to 3650, or null for never'],
  ]
  test.for(bad)('%s is refused with a sentence', async ([, input, sentence]) => {
    const { on, pipeline, stages } = await admin()

    expect(problemsOf(await refused(on, 'createStage', { name: 'Trial', ...input, pipelineId: pipeline.id }))).toEqual([sentence])
    expect(problemsOf(await refused(on, 'updateStage', { ...input, id: stages.lead.id }))).toEqual([sentence])
    expect(await pipelinesOf(on)).toEqual([pipeline])
  })

  test('are ordered by naming each once', async () => {
    const { on, pipeline, stages } = await admin()
    const ids = pipeline.stages.map(({ id }: Json) => id)

    for (const stageIds of [[], ids.slice(1), [...ids, ids[0]], [ids[0], ...ids.slice(0, 5)], [...ids.slice(1), pipeline.id]])
      expect(problemsOf(await refused(on, 'reorderStages', { pipelineId: pipeline.id, stageIds }))).toEqual([
        'stageIds: Value error, name each stage of the pipeline once',
      ])
    expect(await refused(on, 'createStage', { pipelineId: pipeline.id, ifVersion: 7, name: 'A' })).toMatchObject({ version: 1 })
    expect(await refused(on, 'deleteStage', { id: stages.lead.id, ifVersion: 7 })).toMatchObject({ code: 'PRECONDITION_FAILED' })
  })
})

describe('the settings of deals', () => {
  test('keep the reasons for lost deals', async () => {
    const { on } = await admin()
    const change = 'mutation ($input: DealSettingsInput!) { updateDealSettings(input: $input) { lostReasons } }'
    const before = await on.data('{ dealSettings { lostReasons } }')
    const { updateDealSettings: after } = await on.data(change, { input: { lostReasons: [' Price ', 'Price', 'Timing', ''] } })
    await on.data(change, { input: {} })
    const long = problemsOf(await on.error(change, { input: { lostReasons: ['a', 'x'.repeat(201)] } }))
    const many = problemsOf(await on.error(change, { input: { lostReasons: Array.from({ length: 51 }, (_, n) => `${n}`) } }))

    expect(before.dealSettings.lostReasons).toEqual([])
    expect(after.lostReasons).toEqual(['Price', 'Timing'])
    expect(long).toEqual(['lostReasons.1: String should have at most 200 characters'])
    expect(many).toEqual(['lostReasons: List should have at most 50 items after validation, not 51'])
    expect((await on.data('{ dealSettings { lostReasons } }')).dealSettings).toEqual(after)
  })
})
