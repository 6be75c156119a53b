// German words of a conversation in writing with a voice agent.

import type { talkWords } from '../../en/screens/talk.ts'
import type { Translation } from '../../language.ts'

export const talk: Translation<typeof talkWords> = {
  title: 'Mit ihm sprechen',
  sentence: 'Schreiben Sie als die Person, die er anruft. Kein Telefon klingelt, und weder Kontakte noch Statistiken wissen davon.',
  start: 'Gespräch beginnen',
  again: 'Noch einmal sprechen',
  leave: 'Auflegen',
  conversation: 'Gespräch',
  you: 'Sie',
  words: 'Ihre Worte',
  say: 'Sagen Sie etwas',
  send: 'Senden',
  thinking: 'Er denkt nach',
  seconds: seconds => `${seconds} s`,
  token: { one: 'Token', other: 'Token' },
  used: (tool, seconds) => `Hat ${tool} benutzt, ${seconds} s`,
  interviewer: 'Es ist kein Modell eingerichtet. Deshalb fragt ein Interviewer nach den Werten des Formulars und liest sie vor.',
  changed: 'Der Agent wurde seitdem gespeichert. Sprechen Sie noch einmal mit ihm, um die Änderung zu hören.',
  result: 'Ergebnis',
  nothing: 'Er hat nichts herausgefunden.',
  cost: credits => `Es kostete ${credits}`,
}
