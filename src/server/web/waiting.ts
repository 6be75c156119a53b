// The page that a browser gets while the web app is built, or if the build failed.

/** `reloads`: whether the page asks again by itself, every two seconds. */
export const waitingPage = (sentence: string, reloads: boolean): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Rolocom</title>
  ${reloads ? '<meta http-equiv="refresh" content="2">' : ''}
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/base.css">
</head>
<body>
  <main>
    <h1>Rolocom</h1>
    <p role="status">${sentence}</p>
    <p>The API answers meanwhile: see its <a href="/docs">reference</a>.</p>
  </main>
</body>
</html>
`
