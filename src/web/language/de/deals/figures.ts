// German words of the widgets of deals.

import type { figureWords } from '../../en/deals/figures.ts'
import type { Translation } from '../../language.ts'

export const dealFigures: Translation<typeof figureWords> = {
  open: deals => `offen in ${deals.replace(/Geschäfte$/, 'Geschäften')}`,
  forecast: deals => `erwartet aus ${deals.replace(/Geschäfte$/, 'Geschäften')}, je nach Wahrscheinlichkeit der Phase`,
  won: (deals, window) => `von ${deals.replace(/Geschäfte$/, 'Geschäften')} gewonnen, die ${window} entschieden wurden`,
  rate: (currency, rate) => `${currency}: ${rate} gewonnen`,
  inStage: window => `im Schnitt in einer Phase, ${window}`,
  changes: window => `Änderungen an Geschäften ${window}`,
  withoutAmount: 'Ohne Betrag',
  haveNoAmount: 'ohne Betrag',
  noDate: 'Ohne Datum',
  of: (figures, currency) => `${figures} in ${currency}`,
  columns: {
    stage: 'Phase',
    month: 'Monat',
    amount: 'Betrag',
    deals: 'Geschäfte',
    won: 'Gewonnen',
    lost: 'Verloren',
    share: 'Anteil',
    state: 'Stand',
    stays: 'Aufenthalte',
    days: 'Im Schnitt',
    owner: 'Zuständig',
    added: 'Angelegt',
    moved: 'Verschoben',
  },
}
