// Devices without a browser of their own (RFC 8628): a short code that the user types elsewhere, and approves or denies.

import { randomBytes, randomInt } from 'node:crypto'
import type { DeviceAuthorization } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, userOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { holdCredential } from '../authentication/held-credential.ts'
import { countOne } from '../provider/counted.ts'
import { lockUserCode } from './application.sql.ts'
import { clientNameOf, hashOf } from './request.ts'

// A code waits for 10 minutes. 30: enough for an office on its first day, and no more codes of a network wait at once to be guessed.
const authorizations = { max: 30, seconds: 600 }

export interface StartedDevice {
  deviceCode: string
  userCode: string
  verificationUri: string
  verificationUriComplete: string
  expiresIn: number
  interval: number
}

/** A device as its user sees it. */
export interface Device {
  userCode: string
  clientName: string
  /** The IP address of the device. Null for requests that an earlier release stored. */
  ipAddress: string | null
  /** The program that asked, as it calls itself. */
  userAgent: string | null
  status: 'pending' | 'approved' | 'denied'
  createdAt: Date
  expiresAt: Date
}

// 10 minutes to find a browser and sign in.
const lifetimeSeconds = 600
export const intervalSeconds = 5
// Consonants only, which spell no words and are told apart (RFC 8628, 6.1).
const codeLength = 8
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

/** Begins the sign-in of a device. Throws INVALID, and RATE_LIMITED for a network that has begun too many. */
export async function startDevice({ db, now, services, principal }: Context, input: { clientName: string }): Promise<StartedDevice> {
  const { name: clientName, problems } = clientNameOf(input.clientName, 'clientName')
  if (problems.length > 0) throw invalid(problems)
  // A caller with a credential is counted by the credential.
  const from = principal.kind === 'anonymous' ? principal.device?.() : undefined
  const retryAfter = from ? services.networkLimits.count(authorizations, from.ipAddress ?? undefined) : null
  if (retryAfter !== null) throw new AppError('RATE_LIMITED', 'Too many devices ask for a code from this network', { retryAfter })
  const deviceCode = randomBytes(32).toString('base64url')
  const userCode = Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('')
  const createdAt = now()
  const expiresAt = new Date(createdAt.getTime() + lifetimeSeconds * 1000)
  const data = { id: newId(), deviceCodeHash: hashOf(deviceCode), userCode, clientName, intervalSeconds, createdAt, expiresAt, ...from }
  await db.prisma.deviceAuthorization.create({ data })
  const verificationUri = `${services.config.PUBLIC_URL ?? ''}/device`
  const shown = formatCode(userCode)
  return {
    ...{ deviceCode, userCode: shown, verificationUri, verificationUriComplete: `${verificationUri}?user_code=${shown}` },
    ...{ expiresIn: lifetimeSeconds, interval: intervalSeconds },
  }
}

/** The device that waits with the code. Throws NOT_FOUND, and RATE_LIMITED for a user who guesses. */
export async function findDevice(context: Context, userCode: string): Promise<Device> {
  await countGuess(context, userCode)
  const found = await context.db.prisma.deviceAuthorization.findUnique({ where: { userCode: normalizeCode(userCode) } })
  return deviceOf(context, found)
}

/** Lets the device open a session of the signed-in user, or refuses it. Throws NOT_FOUND, CONFLICT for one that is decided, RATE_LIMITED. */
export async function decideDevice(context: Context, userCode: string, status: 'approved' | 'denied'): Promise<Device> {
  const { userId, sessionId } = userOf(context)
  if (sessionId === null) throw new AppError('CONFLICT', 'X-User-ID has no session that the device could be given a part of')
  await countGuess(context, userCode)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await holdCredential(tx)
    const [locked] = await db.query(lockUserCode, [normalizeCode(userCode)])
    const { prisma } = db
    const before = deviceOf(tx, locked ? await prisma.deviceAuthorization.findUnique({ where: { id: locked.id } }) : null)
    if (before.status !== 'pending') throw new AppError('CONFLICT', `The device is ${before.status} already`)
    const { identitySessionId: signInId } = await prisma.session.findUniqueOrThrow({ where: { id: sessionId } })
    const data = { status, userId, sessionId, signInId }
    return deviceOf(tx, await prisma.deviceAuthorization.update({ where: { userCode: normalizeCode(userCode) }, data }))
  })
}

const normalizeCode = (userCode: string) =>
  userCode
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 20)
const formatCode = (userCode: string) => `${userCode.slice(0, 4)}-${userCode.slice(4)}`

function deviceOf({ now }: Context, row: DeviceAuthorization | null): Device {
  if (!row || row.expiresAt <= now() || row.status === 'used')
    throw new AppError('NOT_FOUND', 'No device waits with this code: it may be mistyped, used, or older than 10 minutes')
  const { userCode, clientName, ipAddress, userAgent, status, createdAt, expiresAt } = row
  const decided = status === 'approved' || status === 'denied' ? status : 'pending'
  return { userCode: formatCode(userCode), clientName, ipAddress, userAgent, status: decided, createdAt, expiresAt }
}

async function countGuess(context: Context, userCode: string): Promise<void> {
  const { userId } = userOf(context)
  // No guess: a code of another length is never found.
  if (normalizeCode(userCode).length !== codeLength) return
  const retryAfter = await countOne(context.services, { what: 'deviceCode', who: userId })
  if (retryAfter !== null) throw new AppError('RATE_LIMITED', 'Too many codes were tried; wait before the next one', { retryAfter })
}
