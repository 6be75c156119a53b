// Heartbeats: turns of the main session over everything that was queued for it, one at a time whatever the number of workers.

import { v7 as uuid } from 'uuid'
import type { Services } from '../context.ts'
import { type Queries, statement } from '../database/client.ts'
import { beginRun, type Claim } from './claim.ts'
import { askForHeartbeat, windowMs } from './heartbeat-bell.ts'
import { namedModel, offlineModel } from './models.ts'
import { type Run, runColumns, runTables } from './run.sql.ts'
import { wrapUntrusted } from './untrusted.ts'
import { mainSessionKey } from './words.ts'

interface MainSession {
  id: string
  isBusy: boolean
  heartbeatAt: string
  heartbeatNotBefore: string | null
}

const ensureMain = statement<never>(
  'gateway_ensure_main',
  `insert into gateway_sessions (id, org_id, key, heartbeat_at, created_at, updated_at) values ($1, $2, $3, $4, $4, $4)
   on conflict (org_id, key) do nothing`,
)
const lockMain = statement<MainSession>(
  'gateway_lock_main',
  `select id, coalesce(lease_until > now(), false) as "isBusy", coalesce(heartbeat_at, created_at) as "heartbeatAt",
     heartbeat_not_before as "heartbeatNotBefore" from gateway_sessions where org_id = $1 and key = $2 for update`,
)
const selectUnfinished = statement<Run>(
  'gateway_unfinished_heartbeat',
  `select ${runColumns} from ${runTables} where r.session_id = $1 and r.kind = 'heartbeat' and r.status = 'running'`,
)
// A clock that was set back makes no event young.
const asking = `select 1 from gateway_events where org_id = $1 and heartbeat_id is null and mode = 'now'`
const isAskedFor = statement<{ isAsked: boolean; hasWaited: boolean }>(
  'gateway_heartbeat_asked',
  `select exists (${asking}) as "isAsked",
     exists (${asking} and abs(extract(epoch from created_at - $2::timestamptz)) * 1000 >= ${windowMs}) as "hasWaited"`,
)
const insertHeartbeat = statement<never>(
  'gateway_insert_heartbeat',
  `insert into gateway_runs (id, org_id, session_id, kind, agent_id, message, wake_mode, deliver, channel, recipient, model, thinking,
     timeout_seconds, scopes, credit_ceiling, status, created_at)
   values ($1, $2, $3, 'heartbeat', $4, $5, 'next_heartbeat', $6, $7, $8, $9, $10, $11, $12, $13, 'accepted', $14)`,
)
const setMessage = statement<Run>('gateway_set_message', 'update gateway_runs set message = $2 where id = $1')
const selectHeartbeat = statement<Run>('gateway_select_heartbeat', `select ${runColumns} from ${runTables} where r.id = $1`)
const noteBeat = statement<never>('gateway_note_beat', 'update gateway_sessions set heartbeat_at = $2 where id = $1')

interface Taken {
  source: 'hook' | 'run' | 'user'
  name: string
  text: string
  createdAt: string
}

// 200,000 characters are about what a model reads in one go; what is left makes the next turn, at once.
const takeEvents = statement<Taken>(
  'gateway_take_events',
  `with queued as (
     select id, position, sum(octet_length(text) + 60) over (order by position) as size, row_number() over (order by position) as place
     from gateway_events where org_id = $1 and heartbeat_id is null order by position limit 5000),
   taken as (
     update gateway_events e set heartbeat_id = $2 from queued q where e.id = q.id and (q.size <= 200000 or q.place = 1)
     returning e.position, e.source, e.name, e.text, e.created_at as "createdAt")
   select source, name, text, "createdAt" from taken order by position`,
)

/**
 * Claims a heartbeat if there is a reason for one: one that a worker left unfinished, events that ask for it, or that it is time. Null when
 * there is none, or one is going on. `isUrgent`, which is the bell, waits neither for more events nor for the pause after a failed one.
 */
export async function claimHeartbeat(services: Services, orgId: string, { isUrgent }: { isUrgent: boolean }): Promise<Claim | null> {
  const now = services.now()
  await services.database.query(ensureMain, [uuid(), orgId, mainSessionKey, now.toISOString()])
  return services.database.transaction(async db => {
    const [main] = await db.query(lockMain, [orgId, mainSessionKey])
    if (!main || main.isBusy) return null
    const [unfinished] = await db.query(selectUnfinished, [main.id])
    if (unfinished) return beginRun(services, db, unfinished)

    const isPaused = !isUrgent && main.heartbeatNotBefore !== null && Date.parse(main.heartbeatNotBefore) > now.getTime()
    const [{ isAsked, hasWaited } = { isAsked: false, hasWaited: false }] = await db.query(isAskedFor, [orgId, now.toISOString()])
    const { everyMinutes } = services.config.gateway.heartbeat
    const isTime = everyMinutes > 0 && now.getTime() >= Date.parse(main.heartbeatAt) + everyMinutes * 60_000
    if (!isTime && (!isAsked || isPaused)) return null
    if (!isTime && !isUrgent && !hasWaited) {
      // What else comes within the window is to be in the same turn. Its bell may have rung while the last turn went on.
      askForHeartbeat(services)
      return null
    }
    return begin(services, db, orgId, main.id, now)
  })
}

async function begin(services: Services, db: Queries, orgId: string, sessionId: string, now: Date): Promise<Claim | null> {
  const { heartbeat, hooks, agents, models } = services.config.gateway
  const agent = Object.hasOwn(agents.list, agents.default) ? agents.list[agents.default] : undefined
  const { model = offlineModel } = namedModel(models, heartbeat.model ?? agent?.model ?? models.default ?? offlineModel)
  const id = uuid()
  await db.query(insertHeartbeat, [
    id,
    orgId,
    sessionId,
    agents.default,
    heartbeat.prompt,
    heartbeat.deliver,
    heartbeat.channel,
    heartbeat.to ?? null,
    model,
    heartbeat.thinking ?? agent?.thinking ?? null,
    agents.timeoutSeconds,
    heartbeat.scopes ?? hooks.scopes,
    Math.round((heartbeat.creditCeiling ?? hooks.creditCeiling) * 1_000_000),
    now.toISOString(),
  ])
  const events = await db.query(takeEvents, [orgId, id])
  if (events.length > 0) await db.query(setMessage, [id, `${heartbeat.prompt}\n\n${listed(events)}`])
  await db.query(noteBeat, [sessionId, now.toISOString()])
  const [run] = await db.query(selectHeartbeat, [id])
  if (!run) throw new Error('the heartbeat that was just inserted is not there')
  return beginRun(services, db, run)
}

// One line each, as JSON, so that no event can pass for another. What users of the platform wrote stands outside of the markers.
function listed(events: readonly Taken[]): string {
  const lines = events.map(({ source, name, text, createdAt }, index) => ({
    isOutside: source !== 'user',
    line: `${index + 1}. ${createdAt} ${JSON.stringify({ from: source === 'run' ? `run ${name}` : name, text })}`,
  }))
  const blocks: string[] = []
  for (let index = 0; index < lines.length; ) {
    const { isOutside } = lines[index] ?? { isOutside: true }
    const end = lines.findIndex((line, at) => at > index && line.isOutside !== isOutside)
    const block = lines.slice(index, end < 0 ? lines.length : end)
    const text = block.map(({ line }) => line).join('\n')
    blocks.push(isOutside ? wrapUntrusted(text, 'system events') : text)
    index += block.length
  }
  return `System events, oldest first:\n${blocks.join('\n')}`
}
