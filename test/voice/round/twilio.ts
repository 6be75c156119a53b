// Requests of Twilio to a process, signed by Twilio's SDK.

import twilioSdk from 'twilio'
import type { Json } from '../../support/app.ts'
import { accountSid, authToken, publicUrl } from '../providers/messages.ts'
import type { providerServer } from '../providers/server.ts'

async function post(serverUrl: string, address: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(serverUrl + address.slice(publicUrl.length), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSdk.getExpectedTwilioSignature(authToken, address, fields),
    },
    body: new URLSearchParams(fields),
  })
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`)
  return response.text()
}

/** Tells the status of a call, as its status callback does. */
export async function tellStatus(
  serverUrl: string,
  call: Json,
  fields: Record<string, string>,
  twilio: Awaited<ReturnType<typeof providerServer>>,
): Promise<void> {
  const callbacks = twilio.asked.map(({ form }) => form.get('StatusCallback') ?? '')
  const address = callbacks.find(url => url.includes(call.id))
  if (!address) throw new Error(`Twilio was given no address for the call ${call.id}`)
  await post(serverUrl, address, { CallSid: call.provider_call_id, AccountSid: accountSid, ...fields })
}

/** Asks how a call goes on after its socket was lost. */
export const askNext = (serverUrl: string, address: string, sid: string): Promise<string> =>
  post(serverUrl, address, { CallSid: sid, CallStatus: 'in-progress', SessionStatus: 'failed' })
