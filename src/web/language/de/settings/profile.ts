// German words of the settings of a person.

import type { profileWords } from '../../en/settings/profile.ts'
import type { Translation } from '../../language.ts'

export const profile: Translation<typeof profileWords> = {
  you: 'Sie',
  forGuests: 'Ein Name und ein Passwort',
  email: 'E-Mail',
  withoutAddress: 'Ohne Adresse',
  id: 'Ihre ID',
  idHelp: 'Für Support und Programme',
  yourId: 'Ihre ID',
  signOut: 'Abmelden',
  signOutHelp: 'Beendet die Sitzung dieses Browsers, in allen Tabs.',
  noAnswer: 'Der Server hat nicht geantwortet. Versuchen Sie es noch einmal.',
  password: 'Passwort',
  passwordHelp: 'Wird über einen Link in einer E-Mail geändert. Danach sind Sie überall abgemeldet.',
  changePassword: 'Passwort ändern',
  nameNeeded: 'Geben Sie einen Namen ein',
  isChanged: 'Ihr Name ist geändert',
  saveName: 'Name speichern',
  name: 'Name',
  nameHelp: 'Wie ihn die Mitglieder Ihrer Organisationen sehen',
  appearance: 'Darstellung',
  inBrowser: 'Gilt in diesem Browser.',
  withAccount: 'Gilt für Ihr Konto, in jedem Browser, in dem Sie sich anmelden.',
  colors: 'Farben',
  auto: 'Wie das Gerät',
  light: 'Hell',
  dark: 'Dunkel',
  rows: 'Tabellenzeilen',
  comfortable: 'Normal',
  compact: 'Kompakt',
  zone: 'Zeitzone',
  zoneHelp: 'Für Uhrzeiten, Tage und Tageswerte',
  linkComes: address => `Ein Link für ein neues Passwort ist unterwegs an ${address}. Er gilt einmal, eine Stunde lang.`,
  browsersZone: zone => `Zeitzone des Browsers (${zone})`,
}
