// What GraphiQL's page lacks: a viewport, colors that can be read, and a layout for a phone. Its policy allows styles inside it.

const style = `
/* The logo, line numbers and (mtk8) comments are too pale to read. */
.graphiql-container .graphiql-logo, .graphiql-container .graphiql-logo * { color: inherit; }
.monaco-editor .line-numbers { color: #5b6675 !important; }
@media (prefers-color-scheme: dark) {
  body:not(.graphiql-light) .monaco-editor .line-numbers { color: #a9b1bd !important; }
  body:not(.graphiql-light) .monaco-editor .mtk8 { color: #8dbb78; }
}
body.graphiql-dark .monaco-editor .line-numbers { color: #a9b1bd !important; }
body.graphiql-dark .monaco-editor .mtk8 { color: #8dbb78; }
/* As narrow as a phone: the answer below the query. */
@media (max-width: 700px) {
  .graphiql-container .graphiql-logo { display: none; }
  /* The documentation instead of the editor, while it is open. */
  .graphiql-main:has(.graphiql-plugin > *) > :has(.graphiql-plugin) { flex: 1 1 100% !important; }
  .graphiql-main:has(.graphiql-plugin > *) > .graphiql-sessions { display: none; }
  .graphiql-container #graphiql-session { flex-direction: column; overflow: auto; }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-container .graphiql-editors, .graphiql-container .graphiql-response { flex: 1 1 50% !important; min-height: 18rem; width: 100%; }
}`

/** The page as it is sent. */
export const fitted = (html: string): string =>
  html
    .replace('<head>', () => `<head>\n      <meta name="viewport" content="width=device-width, initial-scale=1" />`)
    .replace('</head>', () => `<style>${style}</style>\n    </head>`)
