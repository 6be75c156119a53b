// German words for data enrichment.

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
  sure: percent => `${percent} sicher`,
  evidence: { contact: 'Der Kontakt', agent: 'Der Sprachagent' },
  provider: {
    calls: 'Frühere Anrufe',
    email: 'E-Mail-Prüfung',
    gravatar: 'Gravatar',
    http: 'Datenanbieter',
    llm: 'Sprachmodell',
    phone: 'Telefonprüfung',
    web: 'Website der Firma',
  },
  skipped: {
    condition_not_met: 'Das gilt für diesen Kontakt nicht.',
    free_mail_domain: 'Die E-Mail ist von einem kostenlosen Anbieter und nennt keine Firma.',
    not_configured: 'Noch nicht verbunden. Ihr Administrator kann das tun.',
    nothing_missing: 'Es fehlte nichts.',
    nothing_to_go_by: 'Der Kontakt hat zu wenige Angaben für eine Suche.',
    organization_not_allowed: 'Ihre Organisation darf diese bezahlte Quelle nicht benutzen.',
  },
  connect: source => `${source} verbinden`,
  target: { contact: 'Kontakt', company: 'Firma' },
  aModel: 'ein Sprachmodell',
}
