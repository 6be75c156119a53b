// The page for strangers.

import type { welcomeWords } from '../../en/account/welcome.ts'
import type { Translation } from '../../language.ts'

export const welcome: Translation<typeof welcomeWords> = {
  reference: 'API-Referenz',
  signIn: 'Anmelden',
  title: 'Kontakte, Anrufe und die Assistenten, die damit arbeiten',
  sentence:
    'Rolocom kennt die Menschen, mit denen Sie sprechen, führt Anrufe, ergänzt fehlende Werte und lässt Assistenten arbeiten. Es ist ein Server mit einer API, und die API kann alles, was diese Seiten können.',
  create: 'Konto anlegen',
  guest: 'Als Gast umsehen',
  guestSentence: 'Ein Gast liest eine Demo-Organisation und braucht kein Konto.',
  parts: {
    contacts: {
      name: 'Kontakte, Firmen und Geschäfte',
      sentence:
        'Notizen, Aufgaben, Tags, gespeicherte Ansichten und eigene Felder. Dubletten werden gefunden und zusammengeführt, auch wieder getrennt. Dateien importieren und exportieren.',
    },
    calls: {
      name: 'Anrufe',
      sentence: 'Sprachagenten rufen an und halten Gespräch und Ergebnis fest. Ohne Anbieter antwortet ein Simulator.',
    },
    enrichment: {
      name: 'Datenanreicherung',
      sentence: 'Quellen suchen, was einem Kontakt fehlt, und schlagen es mit Beleg vor. Sie entscheiden einzeln oder nach einer Regel.',
    },
    assistants: {
      name: 'Assistenten',
      sentence: 'Assistenten werden nach Zeit oder durch Webhooks wach, nutzen Ihre Daten in Grenzen und halten jeden Schritt fest.',
    },
    credits: {
      name: 'Guthaben',
      sentence:
        'Sie zahlen aus einem Guthaben. Credits werden vor der Arbeit reserviert und danach abgebucht, und jede Buchung ist zu sehen.',
    },
    history: {
      name: 'Verlauf',
      sentence: 'Jede Änderung zeigt, von wem und auf welchem Weg sie kam und was vorher dort stand. Änderungen erscheinen sofort.',
    },
  },
  picture: 'Die Startseite von Rolocom: neue Kontakte, Kontakte nach Stufe, Anrufe im Verlauf und die Annahmequote von dreißig Tagen',
  developers: {
    title: 'Für Entwickler',
    sentence:
      'Ein GraphQL-Schema ist die Plattform. REST, Webhooks und die Werkzeuge von Agenten führen gespeicherte Dokumente davon aus, darum gilt eine Regel für alle. Diese Anfrage funktioniert, wie sie dasteht, als Gast:',
    graphiql: 'das ganze Schema, zum Ausprobieren im Browser',
    reference: 'jede REST-Adresse mit Beispielen',
    guides: 'Anleitungen',
    guidesSentence: 'Zugänge, Wiederholungen, Listen, Änderungen im Augenblick',
    request: language => `Die Anfrage, ${language}`,
    send: 'Senden',
    copy: 'Kopieren',
    copied: 'Kopiert',
    answer: 'Die Antwort',
  },
}
