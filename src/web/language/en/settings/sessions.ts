// Words of the settings of sessions and connected applications.

import type { ReactNode } from 'react'
import { room } from '../../language.ts'
import { say } from '../../say.ts'

export const sessionWords = room('sessions', {
  isEnded: 'The session is ended',
  endOthersQuestion: 'End all other sessions?',
  endOthersLoses: 'Every other browser and application has to sign in again. This one stays.',
  endTheOthers: 'End the others',
  endAllQuestion: 'End all sessions?',
  endAllLoses: 'You are signed out everywhere, here too, and connected applications are disconnected.',
  endAllVerb: 'End all sessions',
  title: 'Sessions',
  sentence: 'Browsers and applications that are signed in as you. A session ends by itself 30 days after its last use.',
  endOthers: 'End all others',
  endAll: 'End all, here too',
  unknownDevice: 'Unknown device',
  thisDevice: 'This device',
  end: 'End',
  connected: 'Connected applications',
  connectedSentence: 'Programs, such as AI assistants, that may act for you. They stay connected when you sign out.',
  isDisconnected: 'The application is disconnected',
  another: 'Another organization',
  neverUsed: 'Never used',
  disconnect: 'Disconnect',
  lastUsed: (time: ReactNode) => say`Last used ${time}`,
  since: (time: string) => `Since ${time}`,
  endOf: (name: string) => `End the session of ${name}`,
  disconnectName: (name: string) => `Disconnect ${name}`,
})
