// Messages as Vapi and Twilio send them, to a server with both providers.

import twilioSdk from 'twilio'
import type { Json, TestApp } from '../../support/app.ts'

export const vapiSecret = 'vapi-webhook-secret-of-the-test'
export const accountSid = `AC${'a'.repeat(32)}`
export const authToken = 'auth-token-of-the-test'
export const publicUrl = 'https://crm.example'
export const eventsOf = (provider: string) => `/api/voice/v1/providers/${provider}/events`

/** The settings of each provider. */
export const vapiSettings = { VAPI_API_KEY: 'vapi-key', VAPI_WEBHOOK_SECRET: vapiSecret }
export const twilioSettings = { PUBLIC_URL: publicUrl, TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken }

export const tellVapi = ({ rest }: TestApp, message: Json, headers: Record<string, string> = { 'x-vapi-secret': vapiSecret }) =>
  rest('POST', eventsOf('vapi'), { body: { message }, headers })

/** A callback as Twilio sends it, signed by Twilio's SDK unless a signature is given. */
export function tellTwilio({ rest }: TestApp, query: string, fields: Record<string, string>, signature?: string) {
  const path = eventsOf('twilio') + query
  const expected = twilioSdk.getExpectedTwilioSignature(authToken, publicUrl + path, fields)
  return rest('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature ?? expected },
  })
}
