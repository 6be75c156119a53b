import type { enrichmentWords } from '../en/enrichment.ts'
import type { Translation } from '../language.ts'

export const enrichment: Translation<typeof enrichmentWords> = {
  runStatus: {
    QUEUED: 'Wartet',
    RUNNING: 'Läuft',
    COMPLETED: 'Fertig',
    FAILED: 'Fehlgeschlagen',
    CANCELED: 'Abgebrochen',
    INSUFFICIENT_CREDITS: 'Zu wenig Guthaben',
  },
  result: { FOUND: 'Gefunden', PARTIAL: 'Teilweise gefunden', NO_DATA: 'Nichts gefunden' },
  stepStatus: { FOUND: 'Gefunden', NO_DATA: 'Nichts gefunden', SKIPPED: 'Übersprungen', FAILED: 'Fehlgeschlagen' },
  suggestionStatus: {
    PENDING: 'Zu prüfen',
    ACCEPTED: 'Übernommen',
    AUTO_APPLIED: 'Automatisch übernommen',
    REJECTED: 'Abgelehnt',
    SUPERSEDED: 'Durch einen neueren ersetzt',
    EXPIRED: 'Abgelaufen',
  },
  decision: { ACCEPT: 'Übernehmen', REJECT: 'Ablehnen' },
  verification: {
    VERIFIED: 'Bestätigt',
    PROBABLE: 'Wahrscheinlich richtig',
    CATCH_ALL: 'Domain nimmt jede Adresse an',
    UNVERIFIED: 'Nicht bestätigt',
  },
  provider: {
    calls: 'Frühere Anrufe',
    email: 'E-Mail-Prüfung',
    gravatar: 'Gravatar',
    http: 'Datenanbieter',
    llm: 'Sprachmodell',
    phone: 'Telefonprüfung',
    web: 'Website der Firma',
  },
  target: { contact: 'Kontakt', company: 'Firma' },
}
