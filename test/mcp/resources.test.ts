// Resources and prompts of /mcp.

import { describe, expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { call, connect } from './client.ts'

const app = await openApp()

describe('resources', () => {
  test('are read by their address, within the scopes of the key', async () => {
    const owner = await app.given.apiKey()
    const client = await connect(app, owner.key)
    const { id } = await call(client, 'create_contact', { firstName: 'Ada' })
    const uri = `rolocom://contact/${id}`
    const { resourceTemplates } = await client.listResourceTemplates()
    const { contents } = await client.readResource({ uri })

    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
      'rolocom://call/{id}',
      'rolocom://contact/{id}',
      'rolocom://suggestion/{id}',
    ])
    expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
    const [content] = contents
    expect(JSON.parse(content && 'text' in content ? content.text : '')).toMatchObject({ id, fullName: 'Ada', timeline: { latest: [{}] } })

    const { key } = await app.given.apiKey({ ...owner, scopes: ['calls:read'] })
    const callers = await connect(app, key)
    expect((await callers.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual(['call'])
    await expect(callers.readResource({ uri })).rejects.toThrow(uri)
    await expect(client.readResource({ uri: 'rolocom://call/019a0000-0000-7000-8000-000000000000' })).rejects.toThrow('019a0000')
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('file:///etc/passwd')
  })
})

describe('prompts', () => {
  test('are shown to keys that may call their tools, and contain their subject', async () => {
    const owner = await app.given.apiKey()
    const client = await connect(app, owner.key)
    const { id } = await call(client, 'create_contact', { firstName: 'Ada' })
    const { prompts } = await client.listPrompts()
    const { messages } = await client.getPrompt({ name: 'prepare_for_call', arguments: { contact_id: id } })

    expect(prompts.map(({ name }) => name)).toEqual(['prepare_for_call', 'clean_up_duplicates', 'review_suggestions'])
    expect(messages.map(({ content }) => content.type)).toEqual(['text', 'resource'])
    expect(JSON.stringify(messages[1])).toContain(id)
    await expect(client.getPrompt({ name: 'prepare_for_call' })).rejects.toThrow('contact_id')

    const { key } = await app.given.apiKey({ ...owner, scopes: ['contacts:read', 'contacts:write'] })
    expect((await (await connect(app, key)).listPrompts()).prompts.map(({ name }) => name)).toEqual(['clean_up_duplicates'])
  })

  test('what they speak of works: duplicates are previewed, merged and taken apart again', async () => {
    const { key } = await app.given.apiKey()
    const client = await connect(app, key)
    const winner = await call(client, 'create_contact', { firstName: 'Grace', phone: '+15550100002' })
    const loser = await call(client, 'create_contact', { firstName: 'Grace', phone: '+15550100002', jobTitle: 'Admiral' })
    const { found } = await call(client, 'find_duplicates')
    const pair = { winnerId: winner.id, loserId: loser.id }
    const { fields } = await call(client, 'preview_merge', pair)
    const merge = await call(client, 'merge_records', pair)
    const undone = await call(client, 'undo_merge', { mergeId: merge.mergeId })

    expect(found).toMatchObject([{ reasons: expect.arrayContaining(['phone']) }])
    expect(fields).toContainEqual(expect.objectContaining({ field: 'jobTitle', value: 'Admiral' }))
    expect(merge.winner.jobTitle).toBe('Admiral')
    expect(undone.undoneAt).not.toBeNull()
  })
})
