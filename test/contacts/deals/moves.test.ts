// Moving deals: won and lost, places in a column, old versions, stale deals, and stages that are deleted.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { meetWriter, query } from '../../support/database/database.ts'
import { type Client, problemsOf } from '../client.ts'
import { add, change, deleting, move, moving, read, restoring, seller, updating, wayOf } from './deals.ts'

const app = await openApp()

/** The titles of the live deals of a stage, in their order. */
const column = async (stageId: string): Promise<string[]> =>
  (await query(app.database.url, `select title from deals where stage_id = '${stageId}' and deleted_at is null order by position`)).map(
    ({ title }) => title,
  )
const addAll = async (on: Client, ...titles: string[]) => {
  const ids: Record<string, string> = {}
  for (const title of titles) ids[title] = (await add(on, { title })).id
  return ids
}

describe('moveDeal', () => {
  test('wins, loses with a reason and opens again, and every stage is kept', async () => {
    const { on, stages } = await seller(app)
    const { id } = await add(on)
    const won = await move(on, { id, ifVersion: 1, stageId: stages.won })
    const refused = problemsOf(await on.error(moving, { input: { id, stageId: stages.lost } }))
    const lost = await move(on, { id, stageId: stages.lost, lostReason: ' Price ' })
    const reason = await change(on, { id, lostReason: 'Timing' })
    const cleared = problemsOf(await on.error(updating, { input: { id, lostReason: null } }))
    const open = await move(on, { id, stageId: stages.qualified })
    const wrong = problemsOf(await on.error(moving, { input: { id, stageId: stages.won, lostReason: 'Price' } }))

    expect(won).toMatchObject({ stage: { kind: 'WON' }, wonAt: expect.any(String), lostAt: null, version: 2 })
    expect(won.stageChangedAt).toBe(won.wonAt)
    expect(refused).toEqual(['lostReason: Value error, a lost deal needs a reason'])
    expect(lost).toMatchObject({ wonAt: null, lostAt: expect.any(String), lostReason: 'Price', version: 3 })
    expect(reason).toMatchObject({ lostReason: 'Timing', lostAt: lost.lostAt })
    expect(cleared).toEqual(['lostReason: Value error, a lost deal needs a reason'])
    expect(open).toMatchObject({ wonAt: null, lostAt: null, lostReason: null })
    expect(wrong).toEqual(['lostReason: Value error, only a lost deal has a reason'])
    expect((await wayOf(on, id)).map(({ fromName, toName }) => [fromName, toName])).toEqual([
      ['Lost', 'Qualified'],
      ['Won', 'Lost'],
      ['Lead', 'Won'],
      [null, 'Lead'],
    ])
  })

  test('takes a reason of the list, where the organization keeps one', async () => {
    const { on, stages } = await seller(app)
    await on.data('mutation { updateDealSettings(input: { lostReasons: ["Price", "Timing"] }) { lostReasons } }')
    const { id } = await add(on)
    const refused = problemsOf(await on.error(moving, { input: { id, stageId: stages.lost, lostReason: 'Other' } }))
    const lost = await move(on, { id, stageId: stages.lost, lostReason: 'Timing' })
    await on.data('mutation { updateDealSettings(input: { lostReasons: ["Price"] }) { lostReasons } }')

    expect(refused).toEqual(
      ["lostReason: Value error, it is none of the reasons of the organization: send 'Price' or 'Timing'"].map(text =>
        text.replaceAll("'", ''),
      ),
    )
    expect(lost.lostReason).toBe('Timing')
    // A reason that has left the list since stays.
    expect(await change(on, { id, title: 'Renamed' })).toMatchObject({ lostReason: 'Timing' })
  })

  test('of an old version is 409 with yours and theirs, and moves nothing', async () => {
    const { on, stages } = await seller(app)
    const { id } = await add(on)
    const theirs = await move(on, { id, stageId: stages.proposal })
    const refused = await on.error(moving, { input: { id, ifVersion: 1, stageId: stages.won } })

    expect(refused).toMatchObject({
      ...{ code: 'CONFLICT', status: 409, version: 2, yours: { version: 1, stageId: stages.won } },
      theirs: { version: 2, stageId: stages.proposal, updatedAt: theirs.updatedAt },
    })
    expect(await read(on, id)).toEqual(theirs)
  })

  test('to a stage or beside a deal that is not there is refused', async () => {
    const [{ on, stages }, other] = [await seller(app), await seller(app)]
    const { a, b, c } = await addAll(on, 'a', 'b', 'c')
    const foreign = await add(other.on)
    await move(on, { id: c, stageId: stages.won })
    const refused = async (input: Json) => problemsOf(await on.error(moving, { input: { id: a, ...input } }))

    expect(await refused({ stageId: other.stages.won })).toEqual(['stageId: Value error, no stage has this id'])
    expect(await refused({ before: c })).toEqual(['before: Value error, no deal of that stage has this id'])
    expect(await refused({ after: foreign.id })).toEqual(['after: Value error, no deal of that stage has this id'])
    expect(await refused({ before: a })).toEqual(['before: Value error, it is the deal itself'])
    expect(await refused({ before: b, after: b })).toEqual(['after: Value error, name one neighbour: before or after'])
    expect(await column(stages.lead)).toEqual(['a', 'b'])
  })

  test('gives every place of a column', async () => {
    const { on, stages } = await seller(app)
    const { a, b, c, d } = await addAll(on, 'a', 'b', 'c', 'd')
    await move(on, { id: d, before: a })
    const first = await column(stages.lead)
    await move(on, { id: d, after: a })
    const second = await column(stages.lead)
    await move(on, { id: a })
    const last = await column(stages.lead)
    await move(on, { id: b, before: c })
    const same = await column(stages.lead)
    await move(on, { id: c, stageId: stages.won })
    await move(on, { id: a, stageId: stages.won, before: c })

    expect(first).toEqual(['d', 'a', 'b', 'c'])
    expect(second).toEqual(['a', 'd', 'b', 'c'])
    expect(last).toEqual(['d', 'b', 'c', 'a'])
    expect(same).toEqual(['d', 'b', 'c', 'a'])
    expect(await column(stages.won)).toEqual(['a', 'c'])
  })

  test('of ten people who drop at one place at once, all get a place', async () => {
    const { on, stages } = await seller(app)
    const { first, last } = await addAll(on, 'first', 'last')
    const ids = Object.values(await addAll(on, ...Array.from({ length: 10 }, (_, n) => `no ${n}`)))
    await Promise.all(ids.map((id, n) => move(on, { id, ...(n % 2 ? { after: first } : { before: last }) })))
    const places = await query(app.database.url, `select position from deals where stage_id = '${stages.lead}'`)
    const order = await column(stages.lead)

    expect(new Set(places.map(({ position }) => position)).size).toBe(12)
    expect(order).toHaveLength(12)
    expect([order[0], order.at(-1)]).toEqual(['first', 'last'])
  })

  test('of one deal to two stages at once with one version, one wins', async () => {
    const { on, stages } = await seller(app)
    const { id } = await add(on)
    const answers = await Promise.all(
      [stages.won, stages.proposal].map(stageId => on.ask(moving, { input: { id, ifVersion: 1, stageId } })),
    )

    expect(answers.filter(({ data }) => data?.moveDeal)).toHaveLength(1)
    expect(await wayOf(on, id)).toHaveLength(2)
  })
})

describe('a stale deal', () => {
  test('has been in an open stage for longer than the stage allows', async () => {
    const { on, stages } = await seller(app)
    const [{ id }, won] = [await add(on), await add(on, { stageId: stages.won })]
    await query(app.database.url, `update deals set stage_changed_at = now() - interval '31 days' where id in ('${id}', '${won.id}')`)
    const isStale = async (one: string) => (await read(on, one)).isStale

    expect([await isStale(id), await isStale(won.id)]).toEqual([true, false])
    await on.data(`mutation { updateStage(input: { id: "${stages.lead}", staleAfterDays: null }) { id } }`)
    expect(await isStale(id)).toBe(false)
    await on.data(`mutation { updateStage(input: { id: "${stages.lead}", staleAfterDays: 31 }) { id } }`)
    expect(await isStale(id)).toBe(true)
    await move(on, { id, stageId: stages.proposal })
    expect(await isStale(id)).toBe(false)
  })
})

describe('deleting a stage', () => {
  const removing = 'mutation ($input: DeleteStageInput!) { deleteStage(input: $input) { stages { name } } }'

  test('asks where its deals go, and moves them with deleted ones', async () => {
    const { on, stages } = await seller(app)
    const { a, b } = await addAll(on, 'a', 'b', 'c')
    await add(on, { title: 'z', stageId: stages.proposal })
    await on.data(deleting, { input: { id: b } })
    const refused = await on.error(removing, { input: { id: stages.lead } })
    const wrongKind = problemsOf(await on.error(removing, { input: { id: stages.lead, moveDealsTo: stages.won } }))
    const itself = problemsOf(await on.error(removing, { input: { id: stages.lead, moveDealsTo: stages.lead } }))
    const { deleteStage: after } = await on.data(removing, { input: { id: stages.lead, moveDealsTo: stages.proposal } })
    await on.data(restoring, { id: b })

    expect(refused).toMatchObject({ code: 'CONFLICT', status: 409 })
    expect(wrongKind).toEqual(['moveDealsTo: Value error, it is not another open stage'])
    expect(itself).toEqual(['moveDealsTo: Value error, no other stage of the pipeline has this id'])
    expect(after.stages.map(({ name }: Json) => name)).toEqual(['Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost'])
    expect(await column(stages.proposal)).toEqual(['z', 'a', 'b', 'c'])
    expect(await read(on, a ?? '')).toMatchObject({ version: 2, stageId: stages.proposal })
    expect((await wayOf(on, a ?? ''))[0]).toMatchObject({ fromName: 'Lead', toName: 'Proposal' })
  })

  test('and a pipeline too: its deals go to stages of their kind', async () => {
    const { on, pipelineId, stages } = await seller(app)
    const [open, won] = [await add(on), await add(on, { stageId: stages.won })]
    const { createPipeline: second } = await on.data('mutation { createPipeline(input: { name: "Second" }) { id stages { id name } } }')
    const removePipeline = 'mutation ($input: DeletePipelineInput!) { deletePipeline(input: $input) { id } }'
    const refused = await on.error(removePipeline, { input: { id: pipelineId } })
    await on.data(removePipeline, { input: { id: pipelineId, moveDealsTo: second.id } })

    expect(refused).toMatchObject({ code: 'CONFLICT' })
    expect(await read(on, open.id)).toMatchObject({ pipelineId: second.id, stage: { name: 'Lead' } })
    expect(await read(on, won.id)).toMatchObject({ pipelineId: second.id, stage: { name: 'Won' }, wonAt: won.wonAt })
  })

  test('waits for a deal that comes into it, and moves it too', async () => {
    const { on, stages } = await seller(app)
    const { id, pipelineId } = await add(on, { title: 'a', stageId: stages.won })
    const locking = `select from stages where id = '${stages.lead}' for no key update`
    const coming = `update deals set stage_id = '${stages.lead}', pipeline_id = '${pipelineId}', won_at = null where id = '${id}'`
    const input = { id: stages.lead, moveDealsTo: stages.proposal }

    const { errors } = await meetWriter(app.database.url, locking, () => on.ask(removing, { input }), coming)

    expect(errors).toBeUndefined()
    expect([await column(stages.lead), await column(stages.proposal)]).toEqual([[], ['a']])
  })

  test('while deals come into it loses none of them', async () => {
    const { on, stages } = await seller(app)
    const adding = Array.from({ length: 6 }, (_, n) =>
      on.ask('mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }', {
        input: { title: `no ${n}`, stageId: stages.lead },
      }),
    )
    const [answer, ...added] = await Promise.all([
      on.ask(removing, { input: { id: stages.lead, moveDealsTo: stages.proposal } }),
      ...adding,
    ])
    const written = added.filter(({ data }) => data?.createDeal)

    expect(answer.errors).toBeUndefined()
    expect(await column(stages.lead)).toEqual([])
    expect(await column(stages.proposal)).toHaveLength(written.length)
    for (const { errors } of added)
      if (errors) expect(problemsOf(errors[0].extensions)).toEqual(['stageId: Value error, no stage has this id'])
  })
})
