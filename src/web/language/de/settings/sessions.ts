// German words of the settings of sessions and connected applications.

import type { sessionWords } from '../../en/settings/sessions.ts'
import type { Translation } from '../../language.ts'
import { say } from '../../say.ts'

export const sessions: Translation<typeof sessionWords> = {
  isEnded: 'Die Sitzung ist beendet',
  endOthersQuestion: 'Alle anderen Sitzungen beenden?',
  endOthersLoses: 'Jeder andere Browser und jede Anwendung muss sich neu anmelden. Diese Sitzung bleibt.',
  endTheOthers: 'Die anderen beenden',
  endAllQuestion: 'Alle Sitzungen beenden?',
  endAllLoses: 'Sie werden überall abgemeldet, auch hier, und verbundene Anwendungen werden getrennt.',
  endAllVerb: 'Alle Sitzungen beenden',
  title: 'Sitzungen',
  sentence:
    'Browser und Anwendungen, die mit Ihrem Konto angemeldet sind. Eine Sitzung endet von selbst 30 Tage nach der letzten Benutzung.',
  endOthers: 'Alle anderen beenden',
  endAll: 'Alle beenden, auch hier',
  unknownDevice: 'Unbekanntes Gerät',
  thisDevice: 'Dieses Gerät',
  end: 'Beenden',
  connected: 'Verbundene Anwendungen',
  connectedSentence: 'Programme wie KI-Assistenten, die für Sie handeln dürfen. Sie bleiben verbunden, wenn Sie sich abmelden.',
  isDisconnected: 'Die Anwendung ist getrennt',
  another: 'Eine andere Organisation',
  neverUsed: 'Nie benutzt',
  disconnect: 'Trennen',
  lastUsed: time => say`Zuletzt benutzt ${time}`,
  since: time => `Seit ${time}`,
  endOf: name => `Sitzung beenden: ${name}`,
  disconnectName: name => `${name} trennen`,
}
