// German words of the exports of records.

import type { exportWords } from '../../en/inputs/exports.ts'
import type { Translation } from '../../language.ts'

export const exports: Translation<typeof exportWords> = {
  export: 'Exportieren',
  view: 'Diese Ansicht exportieren',
  viewFields: 'Diese Ansicht mit allen Feldern exportieren',
  all: records => `Alle ${records} exportieren`,
  matching: records => `Passende ${records} exportieren`,
  signUp: 'Zum Exportieren registrieren',
  downloaded: file => `${file} wird heruntergeladen`,
  failed: 'Es wurde nichts exportiert',
}
