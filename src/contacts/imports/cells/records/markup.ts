// Notes of other systems are written in HTML. Pure.

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", nbsp: ' ' }

/** The text of a note: paragraphs and lines of HTML become lines, other marks are left out. */
export function textOfMarkup(text: string): string {
  if (!/<(?:p|br|div|span|ul|ol|li|a|b|i|strong|em|h\d)\b[^<>]{0,1000}>/i.test(text)) return text
  return text
    .replace(/<br\s?\/?>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replace(/<li\b[^<>]{0,1000}>/gi, '- ')
    .replace(/<[^<>]{0,5000}>/g, '')
    .replace(/&([a-z]{2,4}|#39);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
