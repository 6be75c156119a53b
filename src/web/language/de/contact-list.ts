// German words of the list of contacts.

import type { bulkWords } from '../en/contact/bulk.ts'
import type { filterWords } from '../en/contact/filter-editors.ts'
import type { listWords } from '../en/contact/list.ts'
import type { Translation } from '../language.ts'

export const contactList: Translation<typeof listWords> = {
  new: 'Neu',
  signUp: 'Registrieren',
  signUpToAdd: 'Registrieren, um Kontakte anzulegen',
  noDeleted: 'Kein gelöschter Kontakt passt. Gelöschte Kontakte bleiben, bis jemand sie wiederherstellt.',
  noMatch: 'Kein Kontakt passt zu diesen Filtern.',
  empty: 'Hier stehen die Menschen, die Sie anrufen und denen Sie schreiben.',
  guide: 'Kontakte über die API anlegen',
  more: 'Mehr zu Kontakten',
  search: {
    label: 'Kontakte suchen',
    example: 'Name, E-Mail, Nummer oder Firma',
  },
  filter: {
    key: 'Liste filtern',
    button: 'Filter',
    clearAll: 'Alle entfernen',
    clear: filter => `Filter ${filter} entfernen`,
    allOf: tags => `alle von ${tags}`,
    import: 'Import',
    oneFile: 'eine Datei',
    companyName: 'Name der Firma',
    domain: 'Domain',
    doNotCall: 'nicht anrufen',
    mayCall: 'darf angerufen werden',
    without: 'Ohne Wert in einem von',
    with: 'Mit Wert in jedem von',
    onlyDeleted: 'nur diese',
    withDeleted: 'auch diese',
    noValue: 'kein Wert',
    anyValue: 'irgendein Wert',
  },
  create: {
    title: 'Neuer Kontakt',
    verb: 'Kontakt anlegen',
    needed: 'Geben Sie wenigstens einen Namen, eine E-Mail, eine Telefonnummer oder eine Firma ein',
    unique: 'Nur einmal unter Ihren Kontakten',
    phone: 'Mit Landesvorwahl, etwa +49 30 1234567',
  },
}

export const contactFilters: Translation<typeof filterWords> = {
  ofImport: 'Kontakte, die ein Import angelegt oder geändert hat.',
  atLeast: 'Mindestens',
  atMost: 'Höchstens',
  from: 'Von',
  until: 'Bis',
  hasNone: 'Ohne Wert',
  hasOne: 'Mit Wert',
  number: 'Geben Sie eine Zahl ein, etwa 1250.5',
  howTags: 'Wie mehrere Tags gelten',
  any: 'Eines davon',
  all: 'Alle davon',
  noTag: 'Kein Tag heißt so',
  part: 'Ein Teil genügt, etwa „acme“. Enter fügt einen weiteren hinzu; einer davon genügt',
  several: 'Enter fügt einen Wert hinzu; einer davon genügt',
}

export const contactBulk: Translation<typeof bulkWords> = {
  starting: 'Beginnt',
  undo: 'Rückgängig',
  done: {
    CREATE_TASKS: contacts => `Aufgabe angelegt für ${contacts}`,
    DELETE: contacts => `${contacts} gelöscht`,
    ENRICH: contacts => `${contacts} zur Anreicherung eingereiht`,
    MOVE: deals => `${deals} verschoben`,
    RESTORE: contacts => `${contacts} wiederhergestellt`,
    UPDATE: contacts => `${contacts} geändert`,
  },
  undoings: {
    CREATE_TASKS: contacts => `Aufgabe entfernt bei ${contacts}`,
    DELETE: contacts => `${contacts} wiederhergestellt`,
    MOVE: deals => `${deals} zurückverschoben`,
    RESTORE: contacts => `${contacts} wieder gelöscht`,
    UPDATE: contacts => `${contacts} zurückgesetzt`,
  },
  doing: {
    CREATE_TASKS: contacts => `Aufgabe wird angelegt: ${contacts}`,
    DELETE: contacts => `Löschen: ${contacts}`,
    ENRICH: contacts => `Einreihen zur Anreicherung: ${contacts}`,
    MOVE: deals => `Verschieben: ${deals}`,
    RESTORE: contacts => `Wiederherstellen: ${contacts}`,
    UNDO: contacts => `Rückgängig machen: ${contacts}`,
    UPDATE: contacts => `Ändern: ${contacts}`,
  },
  failed: count => `, ${count} nicht`,
  stopped: (reason, sentence) => `Abgebrochen: ${reason}. ${sentence}.`,
  noReason: 'der Server nennt keinen Grund',
  addressTaken: 'bleibt gelöscht, weil ein anderer Kontakt diese E-Mail hat',
  domainTaken: 'bleibt gelöscht, weil eine andere Firma diese Domain hat',
  companyMerged: 'wurde mit einer anderen Firma zusammengeführt. Machen Sie das rückgängig, um sie wiederherzustellen',
  merged: 'wurde mit einem anderen Kontakt zusammengeführt. Machen Sie das rückgängig, um ihn wiederherzustellen',
  notChanged: reason => `konnte nicht geändert werden: ${reason}`,
  showThatOne: 'diesen anzeigen',
  more: count => `und ${count} weitere`,
  notStarted: 'Die Kontakte wurden nicht geändert',
  nothingChanged: 'Nichts wurde geändert',
  move: 'Verschieben',
  moveVerb: deals => `${deals} in eine Phase verschieben`,
}
