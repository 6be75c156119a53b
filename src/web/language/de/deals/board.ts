// German words of the board of deals.

import type { boardWords } from '../../en/deals/board.ts'
import type { Translation } from '../../language.ts'

export const board: Translation<typeof boardWords> = {
  title: 'Tafel',
  pipeline: 'Pipeline',
  columns: 'Spalten der Tafel',
  column: (stage, deals) => `${stage}, ${deals}`,
  empty: 'Keine Geschäfte',
  noDeals: 'Kein Geschäft passt zu diesen Filtern.',
  without: 'ohne Betrag',
  add: 'Geschäft hinzufügen',
  addTo: stage => `Geschäft zu ${stage} hinzufügen`,
  addTitle: 'Titel',
  added: (title, stage) => `${title} zu ${stage} hinzugefügt`,
  reordered: title => `${title} hat einen anderen Platz`,
  notAdded: 'Das Geschäft wurde nicht hinzugefügt',
  show: 'Geschäfte zeigen',
  drop: 'Hier ablegen',
  stale: 'Liegt lange',
  overdue: 'Überfällig',
  closes: day => `Abschluss ${day}`,
  movedBy: who => `Verschoben von ${who}`,
  othersMoved: (who, deal, stage) => `${who} hat ${deal} nach ${stage} verschoben`,
  outrun: (who, stage) => `${who} hat es nach ${stage} verschoben.`,
  leave: stage => `In ${stage} lassen`,
  insist: stage => `Nach ${stage} verschieben`,
  news: 'Änderungen zeigen',
  keys: {
    lift: 'Karte aufnehmen oder ablegen',
    move: 'Zwischen den Karten wechseln, oder die aufgenommene Karte bewegen',
    help: 'Die Leertaste nimmt die Karte auf, die Pfeile bewegen sie, die Leertaste legt sie ab, Esc bringt sie zurück.',
    lifted: (deal, stage) => `${deal} ist aus ${stage} aufgenommen. Bewegen mit den Pfeilen, ablegen mit der Leertaste.`,
    over: (stage, place, total) => `${stage}, Platz ${place} von ${total}`,
    overTarget: stage => stage,
    dropped: (deal, stage) => `${deal} liegt in ${stage}`,
    brought: deal => `${deal} ist wieder an seinem Platz`,
  },
}
