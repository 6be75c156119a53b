// The telephony providers that are configured for this installation.

import type { Services } from '../../kernel/context.ts'
import { createOutgoing } from '../../kernel/outgoing/http.ts'
import { createHttpProvider } from './http.ts'
import { createSimulator, type Simulator } from './simulator.ts'
import type { ProviderName, Telephony } from './telephony.ts'
import { createTwilio } from './twilio.ts'
import { createVapi } from './vapi.ts'

export interface ConfiguredTelephony extends Telephony {
  simulator: Simulator
}

type Given = Pick<Services, 'config' | 'database' | 'queue' | 'now' | 'outgoing'>

/** `publicUrl` is a function, because the server's address is known only once it listens. */
export function createTelephony(given: Given, publicUrl: () => string | undefined): ConfiguredTelephony {
  const { config: settings, database, queue, now, outgoing: guarded } = given
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, VAPI_API_KEY, VAPI_WEBHOOK_SECRET } = settings
  const eventsUrl = (provider: ProviderName) => () => `${publicUrl() ?? ''}/api/voice/v1/providers/${provider}/events`
  // URLs from the operator's settings may be private. URLs from users go through the guarded client.
  const outgoing = createOutgoing({ allowPrivate: ['*'] })
  return {
    simulator: createSimulator({ database, queue, now, speed: settings.SIMULATOR_SPEED, waitMs: settings.VOICE_DISPATCH_WAIT_MS }),
    http: createHttpProvider({ outgoing: guarded, now, eventsUrl: eventsUrl('http') }),
    twilio:
      TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN
        ? createTwilio({
            accountSid: TWILIO_ACCOUNT_SID,
            authToken: TWILIO_AUTH_TOKEN,
            apiUrl: settings.TWILIO_API_URL,
            outgoing,
            eventsUrl: eventsUrl('twilio'),
            nextUrl: () => `${publicUrl() ?? ''}/api/voice/v1/providers/twilio/next`,
          })
        : null,
    vapi:
      VAPI_API_KEY && VAPI_WEBHOOK_SECRET
        ? createVapi({
            apiKey: VAPI_API_KEY,
            webhookSecret: VAPI_WEBHOOK_SECRET,
            apiUrl: settings.VAPI_API_URL,
            outgoing,
            eventsUrl: eventsUrl('vapi'),
          })
        : null,
  }
}
