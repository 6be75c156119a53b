// Moments in forms: `datetime-local` inputs hold them in the viewer's zone.

/** For the input; empty for none. */
export function toLocal(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** For the API; null for none. */
export const fromLocal = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())
