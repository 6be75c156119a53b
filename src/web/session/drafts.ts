// Drafts: what was typed and not yet saved, kept in this tab while somebody signs in again, closes the panel or is offline.

const prefix = 'rolocom.draft.'

export function readDraft<Values extends object>(name: string): Partial<Values> | null {
  const text = sessionStorage.getItem(prefix + name)
  // Written by `keepDraft` of the same name, in this tab.
  return text === null ? null : (JSON.parse(text) as Partial<Values>)
}

export function keepDraft(name: string, values: object): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(values))
}

export function moveDraft(from: string, to: string): void {
  const text = sessionStorage.getItem(prefix + from)
  if (text === null || from === to) return
  sessionStorage.setItem(prefix + to, text)
  sessionStorage.removeItem(prefix + from)
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(prefix + name)
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
