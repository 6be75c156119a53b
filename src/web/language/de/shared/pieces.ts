// The components that many screens use.

import type { laterWords } from '../../en/shared/later.ts'
import type { pieceWords } from '../../en/shared/pieces.ts'
import type { startWords } from '../../en/shared/start.ts'
import type { Translation } from '../../language.ts'

export const pieces: Translation<typeof pieceWords> = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  clearFilters: 'Filter aufheben',
  searching: 'Sucht',
  lacking: credits => `Es fehlen ${credits}.`,
  toCredits: 'Guthaben ansehen',
  signUpToDo: 'Dafür registrieren',
  newTab: 'öffnet sich in einem neuen Tab',
  sort: 'Sortieren',
  sortedBy: column => `Sortiert nach ${column}`,
  selectCard: 'Karte auswählen',
  dropped: 'Einige Filter der Adresse wurden ausgelassen, weil diese Liste sie nicht kennt:',
}

export const later: Translation<typeof laterWords> = {
  copied: 'Kopiert',
  copy: what => `Kopieren: ${what}`,
  toConfirm: text => `Geben Sie zur Bestätigung "${text}" ein`,
  showMore: 'Mehr zeigen',
  draft: { restored: 'Ihr nicht gespeicherter Text von vorhin ist wieder da.', discard: 'Verwerfen' },
  half: {
    date: 'Vervollständigen Sie das Datum, oder löschen Sie es',
    moment: 'Vervollständigen Sie Datum und Uhrzeit, oder löschen Sie beides',
  },
  conflict: {
    title: field => `Inzwischen geändert: ${field}`,
    yours: 'Ihr Wert',
    theirs: 'Der andere',
    keepYours: 'Ihren behalten',
    takeTheirs: 'Anderen übernehmen',
  },
  sort: {
    ascending: column => `${column}, aufsteigend`,
    descending: column => `${column}, absteigend`,
    up: column => `${column} nach oben`,
    down: column => `${column} nach unten`,
  },
  keyNames: { escape: 'Esc', enter: 'Eingabe', space: 'Leertaste', arrows: 'Pfeile' },
  listKeys: {
    next: 'Nächste Zeile',
    previous: 'Vorige Zeile',
    open: 'Die Zelle im Fokus öffnen oder ändern',
    select: 'Die Zeile im Fokus auswählen',
    range: 'Auch die nächsten Zeilen auswählen',
    all: 'Alle passenden Zeilen auswählen',
  },
  verbs: {
    newContact: 'Neuer Kontakt',
    newCompany: 'Neue Firma',
    newDeal: 'Neues Geschäft',
    newTask: 'Neue Aufgabe',
    newAgent: 'Neuer Sprachagent',
    importContacts: 'Kontakte importieren',
    call: name => `${name} anrufen`,
    callWord: 'anrufen',
    light: 'Helle Farben',
    dark: 'Dunkle Farben',
    auto: 'Farben des Systems',
  },
  first: {
    title: 'Sie gehören noch zu keiner Organisation',
    sentence: 'Legen Sie eine an, oder lassen Sie sich in eine einladen.',
    name: 'Name der Organisation',
    create: 'Organisation anlegen',
  },
  banners: {
    guest: 'Sie sehen sich die Demo als Gast an. Ändern können Sie nichts.',
    viewer: organization =>
      `Sie sind Leser bei ${organization}: Sie lesen alles und ändern nichts. Ein Admin kann Ihnen das Schreiben erlauben.`,
    offer: organization => `Sie sollen Inhaber von ${organization ?? 'einer Organisation'} werden.`,
    answer: 'Antworten',
  },
  find: {
    hint: 'Kontakt, Firma, Geschäft, Anruf, Notiz oder Agenten finden, oder in einen Bereich gehen',
    nothing: 'Nichts hat diesen Namen',
    newTab: 'Neuer Tab',
  },
}

export const start: Translation<typeof startWords> = {
  loading: 'Lädt',
  broken: {
    title: 'Diese Seite konnte nicht gezeigt werden',
    sentence: 'Laden Sie die Seite neu: Vielleicht gibt es eine neue Version. Was Sie eingegeben haben, bleibt erhalten.',
    again: 'Neu laden',
  },
  alsoByApi: 'All das geht auch über die API.',
  readReference: 'Zur Referenz',
}
