// A gateway with a mapping for each kind of sender, template and transform.

import { openGateway } from '../../support/gateway.ts'

export const githubSecret = 'github-secret-0123456789'
export const stripeSecret = 'whsec-stripe-0123456789'
export const slackSecret = 'slack-secret-0123456789'
export const standardSecret = `whsec_${Buffer.from('standard-webhooks-secret').toString('base64')}`

const transforms = {
  'sentence.ts': `
    export default ({ payload, headers, query, url, path }: { payload: { n: number; [key: string]: unknown }; headers: Record<string, string>; query: Record<string, string>; url: URL; path: string }) => {
      if (payload.skip) return null
      if (payload.throw) throw new Error('a private reason')
      if (payload.hang) while (true) {}
      if (payload.exit) process.exit(1)
      if (payload.list) return [1]
      if (payload.asWake) return { kind: 'wake', text: 'woken by a transform' }
      if (payload.bad) return { message: 'a', deliver: 'perhaps' }
      const n: number = payload.n
      return { message: JSON.stringify({ n: n + 1, headers: Object.keys(headers).sort(), query, url: url.pathname + url.search, path, env: Object.keys(process.env) }) }
    }
    export const named = async () => ({ message: 'by another name' })
    export const notAFunction = 5
  `,
  'slow.ts': `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    export default async ({ payload }: { payload: { log: string } }) => {
      appendFileSync(payload.log, 'begin ')
      await sleep(100)
      appendFileSync(payload.log, 'end ')
      return { text: 'slowly' }
    }
  `,
  'changing.js': `export default () => ({ message: 'version 1' })`,
}

/** The gateway of a file, and how its tests send and read. */
export async function openMapped() {
  const gateway = await openGateway({
    works: false,
    transforms,
    config: {
      hooks: {
        transformsDir: '.',
        presets: ['gmail', 'github', 'stripe'],
        presetSecrets: { github: githubSecret, stripe: stripeSecret },
        mappings: [
          { id: 'broken', match: { path: 'broken' }, messageTemplate: '{{#if a}}' },
          { id: 'gone', match: { path: 'gone' }, transform: { module: 'missing.ts' } },
          { id: 'outside', match: { path: 'outside' }, transform: { module: '../../../../etc/hostname' } },
          {
            id: 'opened',
            match: { path: 'tracker', headers: { 'X-Event': ['issue', 'bug'] }, where: { 'change.action': ['opened', 'reopened'] } },
            messageTemplate: '{{title}} in {{change.repository}}',
            name: 'Tracker {{change.repository}}',
            sessionKey: 'hook:tracker:{{id}}',
            deliver: false,
            channel: 'slack',
            to: '{{channel}}',
            timeoutSeconds: 30,
            wakeMode: 'next-heartbeat',
            thinking: 'low',
            model: 'offline/summary',
            agentId: 'main',
          },
          {
            id: 'other',
            match: { path: 'tracker' },
            action: 'wake',
            textTemplate: 'Something else: {{change.action}}',
            wakeMode: 'next-heartbeat',
          },
          { id: 'source', match: { path: 'ingest', source: 'erp' }, action: 'wake', textTemplate: 'ERP: {{text}}' },
          {
            id: 'each',
            match: { path: 'orders' },
            action: 'wake',
            forEach: 'orders',
            textTemplate: 'Order {{item.id}} ({{index}}) of {{shop}}',
          },
          { id: 'shaped', match: { path: 'shaped' }, transform: { module: 'sentence.ts' } },
          { id: 'slow', match: { path: 'slow' }, action: 'wake', transform: { module: 'slow.ts' }, concurrency: 1 },
          { id: 'blank', match: { path: 'blank' }, messageTemplate: ' {{nothing}} ' },
          { id: 'named', match: { path: 'named' }, transform: { module: './sentence.ts', export: 'named' } },
          { id: 'no-function', match: { path: 'no-function' }, transform: { module: 'sentence.ts', export: 'notAFunction' } },
          { id: 'changing', match: { path: 'changing' }, transform: { module: 'changing.js' } },
          {
            id: 'own-token',
            match: { path: 'own-token' },
            action: 'wake',
            textTemplate: 'own',
            auth: { token: 'a-token-of-its-own-0123' },
          },
          {
            id: 'other-token',
            match: { path: 'other-token' },
            action: 'wake',
            textTemplate: 'own',
            auth: { token: 'another-token-of-its-own' },
          },
          {
            id: 'standard',
            match: { path: 'standard' },
            action: 'wake',
            textTemplate: 'standard {{n}}',
            auth: { hmac: { secret: standardSecret, scheme: 'standard-webhooks' } },
          },
          {
            id: 'slack',
            match: { path: 'slack', where: { type: 'event_callback' } },
            messageTemplate: '{{event.text}} {{headers.x-mood}} {{now}}',
            auth: { hmac: { secret: slackSecret, scheme: 'slack' } },
          },
          {
            id: 'labelled',
            match: { path: 'labels', headers: { 'x-kind': 'label' } },
            messageTemplate: 'labelled {{n}}',
            idempotencyKey: '{{headers.x-delivery}}',
            auth: { hmac: { secret: 'labels-secret-0123', scheme: 'github' } },
          },
          {
            id: 'unlabelled',
            match: { path: 'labels' },
            action: 'wake',
            textTemplate: 'unlabelled {{n}}',
            auth: { hmac: { secret: 'labels-secret-0123', scheme: 'github' } },
          },
          {
            id: 'hex',
            match: { path: 'hex' },
            action: 'wake',
            textTemplate: 'hex',
            auth: { hmac: { secret: 'hex-secret-0123', scheme: 'hex', header: 'X-Sig' } },
          },
          {
            id: 'base64',
            match: { path: 'base64' },
            action: 'wake',
            textTemplate: 'base64',
            auth: { hmac: { secret: 'base64-secret', scheme: 'base64', header: 'X-Sig' } },
          },
          { id: 'small', match: { path: 'small' }, action: 'wake', textTemplate: 'small', maxBodyBytes: 100 },
          { id: 'large', match: { path: 'large' }, action: 'wake', textTemplate: 'large', maxBodyBytes: 1_000_000 },
          { id: 'deep', match: { path: 'deep/er' }, action: 'wake', textTemplate: 'deeper' },
          { id: 'called', match: { path: 'called', headers: { 'X-Caller': 'erp' } }, action: 'wake', textTemplate: 'called' },
          {
            id: 'form',
            match: { path: 'form', where: { kind: 'order' } },
            action: 'wake',
            textTemplate:
              '{{customer.name}} ({{customer.tags}}) of {{from}}: {{items}} {{file.filename}} {{file.size}} {{payload.body-plain}}',
          },
          { id: 'json-in-form', match: { path: 'form', where: { 'repository.name': 'shop' } }, action: 'wake', textTemplate: '{{action}}' },
          {
            id: 'list',
            match: { path: 'list', where: { '[0].type': 'batch' } },
            action: 'wake',
            textTemplate: '{{[1].name}}, {{payload[2].name}}',
          },
          {
            id: 'each-of-list',
            match: { path: 'list' },
            action: 'wake',
            forEach: 'payload',
            textTemplate: '{{index}}: {{item.name}} of {{[0].name}}',
          },
          { id: 'writer', match: { path: 'writer' }, messageTemplate: 'write', scopes: ['contacts:write'], creditCeiling: 5 },
        ],
      },
    },
  })

  const runOf = async (id: string) =>
    (
      await gateway.ask(
        'query ($id: ID!) { agentRun(id: $id) { message name sessionKey deliver channel to timeoutSeconds wakeMode thinking model agentId usage { creditCeiling } } }',
        { id },
      )
    ).agentRun
  const eventOf = async (id: string) =>
    (await gateway.ask('{ systemEvents(first: 200) { nodes { id text name mode } } }')).systemEvents.nodes.find(
      (event: { id: string }) => event.id === id,
    )

  /** Sends a request without the hook token. */
  const bare = (name: string, body: unknown, headers: Record<string, string>) => gateway.rest('POST', `/hooks/${name}`, { body, headers })

  return { gateway, runOf, eventOf, bare }
}
