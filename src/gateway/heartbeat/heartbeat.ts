// Heartbeats: runs of the main session over the system events that are queued for it. One at a time for all workers.

import { mainSessionKey } from '../../config/gateway/enums.ts'
import { modelNamed, offlineModel } from '../../config/gateway/models.ts'
import type { Queries } from '../../database/client.ts'
import type { Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { roundToMicro } from '../../kernel/money.ts'
import { beginRun, type Claim } from '../runs/claim.ts'
import { wrapUntrusted } from '../runs/untrusted.ts'
import { insertMain, isHeartbeatWanted, lockMain, selectUnfinished, type TakenEvent, takeEvents } from './heartbeat.sql.ts'
import { requestHeartbeat, windowMs } from './request.ts'

/**
 * Claims a heartbeat: one that a worker left unfinished, or a new one if events request it or its time has come. Null otherwise, and while
 * one is running. `isUrgent`, for notifications, waits neither for further events nor for the pause after a failure.
 */
export async function claimHeartbeat(services: Services, orgId: string, { isUrgent }: { isUrgent: boolean }): Promise<Claim | null> {
  const now = services.now()
  await services.database.query(insertMain, [newId(), orgId, mainSessionKey, now.toISOString()])
  return services.database.transaction(async db => {
    const [main] = await db.query(lockMain, [orgId, mainSessionKey])
    if (!main || main.isBusy) return null
    const [unfinished] = await db.query(selectUnfinished, [main.id])
    if (unfinished) return beginRun(services, db, unfinished.id)

    const isPaused = !isUrgent && main.heartbeatNotBefore !== null && Date.parse(main.heartbeatNotBefore) > now.getTime()
    const [{ isWanted, hasWaited } = { isWanted: false, hasWaited: false }] = await db.query(isHeartbeatWanted, [
      orgId,
      now.toISOString(),
      windowMs,
    ])
    const { everyMinutes } = services.config.gateway.heartbeat
    const isTime = everyMinutes > 0 && now.getTime() >= Date.parse(main.heartbeatAt) + everyMinutes * 60_000
    if (!isTime && (!isWanted || isPaused)) return null
    if (!isTime && !isUrgent && !hasWaited) {
      // Further events of the next 250 ms belong to the same heartbeat. A notification may have come while the last one was running.
      requestHeartbeat(services)
      return null
    }
    return begin(services, db, orgId, main.id, now)
  })
}

async function begin(services: Services, db: Queries, orgId: string, sessionId: string, now: Date): Promise<Claim | null> {
  const { heartbeat, hooks, agents, models } = services.config.gateway
  const agent = Object.hasOwn(agents.list, agents.default) ? agents.list[agents.default] : undefined
  const { model = offlineModel } = modelNamed(models, heartbeat.model ?? agent?.model ?? models.default ?? offlineModel)
  const id = newId()
  const scopes = heartbeat.scopes ?? hooks.scopes
  const events = await db.query(takeEvents, [orgId, id, scopes])
  await db.prisma.gatewayRun.create({
    data: {
      id,
      orgId,
      sessionId,
      kind: 'heartbeat',
      agentId: agents.default,
      message: events.length > 0 ? `${heartbeat.prompt}\n\n${listEvents(events)}` : heartbeat.prompt,
      wakeMode: 'next_heartbeat',
      deliver: heartbeat.deliver,
      channel: heartbeat.channel,
      recipient: heartbeat.to ?? null,
      model,
      thinking: heartbeat.thinking ?? agent?.thinking ?? null,
      timeoutSeconds: agents.timeoutSeconds,
      scopes: [...scopes],
      creditCeiling: roundToMicro(heartbeat.creditCeiling ?? hooks.creditCeiling),
      status: 'accepted',
      createdAt: now,
    },
  })
  await db.prisma.gatewaySession.update({ where: { id: sessionId }, data: { heartbeatAt: now } })
  return beginRun(services, db, id)
}

// One line for each event, as JSON, so that the text of one cannot pass for another. Only texts of users stand outside of the markers.
function listEvents(events: readonly TakenEvent[]): string {
  const lines = events.map((event, index) => ({
    isOutside: event.source !== 'user',
    line: `${index + 1}. ${event.createdAt} ${JSON.stringify(textOfEvent(event))}`,
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

// The summary and the name of a run that may read more than the heartbeat are left out.
function textOfEvent({ source, name, text, runId, isVisible }: TakenEvent): { from: string; text: string } {
  if (!isVisible)
    return {
      from: `run ${runId}`,
      text: 'A run has ended. Its summary is left out, because the run has scopes that this heartbeat does not have.',
    }
  return { from: source === 'run' ? `run ${name}` : name, text }
}
