// Predefined mappings, enabled by name in hooks.presets.

import { type Mapping, type Preset, readMapping } from '../../config/gateway/mappings.ts'

const presets: Record<Preset, Record<string, unknown>> = {
  // Gmail's push watchers send batches of messages. Each message becomes a separate run.
  gmail: {
    match: { path: 'gmail' },
    action: 'agent',
    name: 'Gmail',
    forEach: 'messages',
    sessionKey: 'hook:gmail:{{item.id}}',
    idempotencyKey: '{{item.id}}',
    messageTemplate: 'New email from {{item.from}}\nSubject: {{item.subject}}\n{{item.snippet}}\n{{item.body}}',
  },
  github: {
    match: { path: 'github' },
    action: 'wake',
    idempotencyKey: '{{headers.x-github-delivery}}',
    textTemplate:
      'GitHub {{headers.x-github-event}} {{action}} in {{repository.full_name}} by {{sender.login}}: ' +
      '{{pull_request.title}}{{issue.title}}{{release.name}}{{head_commit.message}}{{workflow_run.conclusion}} ' +
      '{{pull_request.html_url}}{{issue.html_url}}{{release.html_url}}{{compare}}{{workflow_run.html_url}}',
  },
  stripe: {
    match: { path: 'stripe' },
    action: 'wake',
    idempotencyKey: '{{id}}',
    textTemplate:
      'Stripe {{type}}: {{data.object.object}} {{data.object.id}} {{data.object.status}} {{data.object.amount}} {{data.object.currency}}',
  },
}

/** The mapping of a preset. With a secret, senders must sign; without one, they must send the hook token. */
export function presetMapping(name: Preset, secret: string | undefined): Mapping {
  const auth = secret === undefined || name === 'gmail' ? {} : { auth: { hmac: { secret, scheme: name } } }
  // GitHub does not sign headers. With a secret the delivery id is therefore not trusted, and the signed body identifies the message.
  const { idempotencyKey, ...preset } = presets[name]
  const key = secret !== undefined && name === 'github' ? {} : { idempotencyKey }
  const { mapping, problems } = readMapping({ id: name, ...preset, ...key, ...auth }, 0)
  if (!mapping || problems.length > 0) throw new Error(`The preset ${name} is broken: ${problems.join('; ')}`)
  return mapping
}
