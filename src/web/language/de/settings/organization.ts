// German words of the settings of an organization.

import type { organizationWords } from '../../en/settings/organization.ts'
import type { Translation } from '../../language.ts'

export const organization: Translation<typeof organizationWords> = {
  organizations: 'Organisationen',
  leaveLoses:
    'Sie verlieren den Zugang. Ihre API-Schlüssel und offenen Einladungen gelten dort nicht mehr. Für die Rückkehr brauchen Sie eine Einladung.',
  leaveVerb: 'Organisation verlassen',
  this: 'Diese Organisation',
  id: 'ID der Organisation, für Support und Programme',
  theId: 'die ID der Organisation',
  yours: 'Ihre Organisationen',
  oneAtATime: 'Dieser Browser arbeitet immer in einer davon.',
  new: 'Neue Organisation',
  current: 'Aktuell',
  switch: 'Wechseln',
  leave: 'Verlassen',
  lastOwner: 'Der letzte Inhaber kann sie nicht verlassen: Übergeben Sie sie zuerst, unter Mitglieder.',
  nameNeeded: 'Geben Sie einen Namen ein',
  isSaved: 'Die Organisation ist gespeichert',
  name: 'Name',
  country: 'Land',
  countryHelp: 'Telefonnummern ohne Ländervorwahl gelten als Nummern dieses Landes.',
  notChosen: 'Nicht gewählt',
  currency: 'Währung',
  currencyHelp: 'Die Währung von Beträgen. Bis Sie eine wählen, ist es die Währung des Landes.',
  save: 'Speichern',
  onlyAdmins: 'Inhaber und Admins können sie ändern.',
  create: 'Organisation anlegen',
  leaveQuestion: name => `${name} verlassen?`,
  switchTo: name => `Zu ${name} wechseln`,
  leaveName: name => `${name} verlassen`,
  leaveThis: 'Organisation verlassen',
  archive: 'Archiv von allem',
  archiveSentence:
    'Alles in der Organisation als eine ZIP-Datei, mit einer CSV-Datei für jede Art von Datensatz. Nur Inhaber können es erstellen und herunterladen.',
  makeArchive: 'Archiv erstellen',
  makeAnother: 'Neues erstellen',
  archiveDownload: 'Herunterladen',
  noArchive: 'Das Archiv konnte nicht heruntergeladen werden',
  archiveStatus: {
    QUEUED: 'Das Archiv beginnt gleich',
    RUNNING: 'Das Archiv wird erstellt',
    READY: 'Das Archiv ist fertig',
    FAILED: 'Das Archiv konnte nicht erstellt werden. Versuchen Sie es noch einmal.',
  },
  archiveRows: rows => `Zeilen: ${rows}`,
  archiveSize: size => `${size} MB`,
  archiveAsked: time => `Angefordert ${time}`,
  archiveUntil: time => `Verfügbar bis ${time}`,
  archiveComes: file => `${file} wird heruntergeladen`,
}
