// German words of the settings of calls, and the deny list.

import type { callSettingWords } from '../../en/settings/calls.ts'
import type { Translation } from '../../language.ts'
import { say } from '../../say.ts'

export const callSettings: Translation<typeof callSettingWords> = {
  title: 'Anrufe',
  sentence: 'Für jeden Anruf, den Sprachagenten für diese Organisation tätigen.',
  clockProblem: 'Eine Uhrzeit wie 09:00',
  atLeastOne: 'Mindestens 1',
  bothTimes: 'Geben Sie beide Zeiten ein oder keine',
  areSaved: 'Die Einstellungen der Anrufe sind gespeichert',
  save: 'Speichern',
  days: 'Tage, an denen Telefone klingeln dürfen',
  daysHelp: 'Zu jeder Stunde, wenn Sie unten keine Zeiten eingeben',
  from: 'Von',
  fromHelp: 'In der Zeitzone der angerufenen Person',
  until: 'Bis',
  untilHelp: 'Nicht eingeschlossen',
  zone: 'Zeitzone',
  zoneHelp: 'Für Kontakte ohne Zeitzone',
  atOnce: 'Gleichzeitige Anrufe',
  atOnceHelp: 'Weitere Anrufe warten der Reihe nach',
  denyList: 'Sperrliste',
  denySentence: 'Nummern, die nie angerufen werden, was immer ihr Kontakt erlaubt.',
  noneDenied: 'Keine Nummer ist gesperrt.',
  denied: 'Gesperrte Nummern',
  allowLoses: 'Die Nummer und ihr Grund verschwinden von der Sperrliste.',
  allowCalls: 'Anrufe erlauben',
  allow: 'Erlauben',
  showMore: 'Mehr anzeigen',
  numberNeeded: 'Geben Sie eine Nummer ein, etwa +49 30 1234567',
  deny: 'Nummer sperren',
  number: 'Nummer',
  reason: 'Grund',
  reasonExample: 'Möchte nicht angerufen werden',
  weekdays: { mon: 'Mo', tue: 'Di', wed: 'Mi', thu: 'Do', fri: 'Fr', sat: 'Sa', sun: 'So' },
  allowQuestion: phone => `Anrufe an ${phone} wieder erlauben?`,
  allowNumber: phone => `${phone} erlauben`,
  isDenied: phone => `${phone} ist gesperrt`,
  deniedAt: (time, who) => (who === null ? say`Gesperrt ${time}` : say`Gesperrt ${time} von ${who}`),
}
