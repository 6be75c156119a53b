// The layout of the pages under /docs: a navigation bar on top, and no script.

/** The links of the navigation bar. The reference's index.html repeats them. */
const places = [
  ['/docs', 'API reference'],
  ['/docs/guides', 'Guides'],
  ['/docs/errors', 'Errors'],
  ['/openapi.json', 'OpenAPI'],
  ['/graphql', 'GraphQL'],
] as const

/** Renders a page. `current` is the URL of its entry in the navigation bar; `content` is HTML. */
export function page(title: string, current: (typeof places)[number][0], content: string): string {
  const links = places.map(([href, name]) => `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${name}</a>`)
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/base.css">
  <link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
  <header class="bar">
    <a href="/"><strong>Rolocom</strong></a>
    <nav aria-label="Reference">
      ${links.join('\n      ')}
    </nav>
  </header>
${content}
</body>
</html>
`
}
