// German words of saved views.

import type { besideWords } from '../../en/views/beside.ts'
import type { viewFormWords } from '../../en/views/form.ts'
import type { goneWords } from '../../en/views/gone-fields.ts'
import type { viewMenuWords } from '../../en/views/menus.ts'
import type { viewWords } from '../../en/views/title.ts'
import type { Translation } from '../../language.ts'

export const views: Translation<typeof viewWords> = {
  all: records => `Alle ${records}`,
  deleted: records => `Gelöschte ${records}`,
  saveAsView: 'Als Ansicht speichern',
  changeNamed: view => `Ansicht ${view} ändern`,
}

export const viewForm: Translation<typeof viewFormWords> = {
  save: 'Ansicht speichern',
  saveVerb: 'Ansicht speichern',
  change: 'Ansicht ändern',
  newOf: records => `Neue Ansicht: ${records}`,
  nameNeeded: 'Geben Sie einen Namen ein',
  everybody: 'Alle in der Organisation sehen sie',
  isDefault: 'Die Liste mit dieser Ansicht öffnen',
}

export const viewMenus: Translation<typeof viewMenuWords> = {
  saveChanges: 'Änderungen speichern',
  notSaved: 'Die Ansicht wurde nicht gespeichert',
  yours: 'Ihre Ansichten',
  shared: 'Geteilte Ansichten',
  first: 'zuerst',
  saveNew: 'Als neue Ansicht speichern',
  signUp: 'Registrieren, um Ansichten zu speichern',
  rename: 'Umbenennen und teilen',
  delete: 'Ansicht löschen',
  deleteVerb: 'Ansicht löschen',
  askDelete: view => `Ansicht „${view}“ löschen?`,
  losesShared: records => `Sie verschwindet für alle in der Organisation. Die ${records} bleiben.`,
  losesOwn: records => `Ihre Filter und Spalten gehen verloren. Die ${records} bleiben.`,
  notDeleted: 'Die Ansicht wurde nicht gelöscht',
}

export const viewGone: Translation<typeof goneWords> = {
  and: ' und ',
  view: name => `Die Ansicht „${name}“`,
  address: 'Die Adresse',
  filters: (what, fields) => `${what} filtert nach ${fields}. Das gibt es nicht mehr, darum passt nichts.`,
  columns: (what, fields) => `${what} hat eine Spalte für ${fields}. Dieses Feld ist gelöscht.`,
  without: 'Ohne diesen Filter zeigen',
  remove: 'Aus der Ansicht entfernen',
  notChanged: 'Die Ansicht wurde nicht geändert',
}

export const viewBeside: Translation<typeof besideWords> = {
  why: 'Eine Bedingung dieser Ansicht, die über die API gesetzt wurde',
  remove: field => `Bedingung zu ${field} entfernen`,
  empty: 'Ohne Wert in einem von',
  notEmpty: 'Mit einem Wert in jedem von',
  included: 'auch',
  only: 'nur',
  noValue: 'kein Wert',
  anyValue: 'irgendein Wert',
  ownFields: 'Eigene Felder',
  contains: text => `enthält ${text}`,
  atLeast: value => `mindestens ${value}`,
  atMost: value => `höchstens ${value}`,
  allOf: texts => `alle von ${texts}`,
  chosen: count => (count === 1 ? 'ein bestimmter Eintrag' : `einer von ${count}`),
}
