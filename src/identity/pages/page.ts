// The layout of the claim and password pages: no scripts.

/** A complete HTML page. `content` is HTML, `title` is plain text. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${escapeHtml(title)} · Rolocom</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/base.css">
  <link rel="stylesheet" href="/claim/page.css">
</head>
<body>
  <main>
    ${content}
  </main>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Escapes text for HTML. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? '')
