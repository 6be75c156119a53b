// German words for the assistant.

import type { assistantWords } from '../en/assistant.ts'
import type { Translation } from '../language.ts'

export const assistant: Translation<typeof assistantWords> = {
  tabs: {
    conversations: 'Gespräche',
    runs: 'Läufe',
    events: 'Ereignisse',
    deliveries: 'Gesendete Nachrichten',
    hooks: 'Eingehende Webhooks',
  },
  runKind: { HEARTBEAT: 'Regelmäßige Prüfung', HOOK: 'Eingehender Webhook' },
  runStatus: { ACCEPTED: 'Wartet', RUNNING: 'Läuft', COMPLETED: 'Fertig', FAILED: 'Fehlgeschlagen' },
  speaker: { USER: 'Person', ASSISTANT: 'Assistent', TOOL: 'Werkzeug' },
  channel: {
    DISCORD: 'Discord',
    IMESSAGE: 'iMessage',
    MATTERMOST: 'Mattermost',
    MSTEAMS: 'Microsoft Teams',
    SIGNAL: 'Signal',
    SLACK: 'Slack',
    TELEGRAM: 'Telegram',
    WHATSAPP: 'WhatsApp',
    LAST: 'Zuletzt benutzter Kanal',
  },
  delivery: {
    PENDING: 'Wartet',
    SENDING: 'Wird gesendet',
    SENT: 'Gesendet',
    UNDELIVERABLE: 'Nicht zustellbar',
    UNKNOWN: 'Vielleicht angekommen',
  },
  runDelivery: {
    NOT_REQUESTED: 'Keine Nachricht gewünscht',
    PENDING: 'Wartet',
    SENT: 'Gesendet',
    SKIPPED: 'Nichts zu senden',
    UNDELIVERABLE: 'Nicht zustellbar',
    UNKNOWN: 'Vielleicht angekommen',
  },
  eventSource: { USER: 'Person', HOOK: 'Eingehender Webhook', RUN: 'Lauf' },
  eventState: { QUEUED: 'Wartet', TAKEN: 'Wird gelesen', SEEN: 'Gelesen' },
  wake: { NOW: 'Jetzt', NEXT_HEARTBEAT: 'Bei der nächsten Prüfung' },
  authentication: { HOOK_TOKEN: 'Gemeinsames Token', OWN_TOKEN: 'Eigenes Token', SIGNATURE: 'Signatur' },
}
