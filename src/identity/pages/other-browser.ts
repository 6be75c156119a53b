// The page that asks before a link from a mail signs a browser in which did not ask for it, or in which somebody else is signed in.

import { escaped, page } from './page.ts'

/** `email` is the account that the link signs in, `current` that of who is signed in now. The form is sent to the link's own address. */
export function otherBrowserPage({ email, current }: { email: string; current: string | null }, frontend: string | undefined): Response {
  const now =
    current === null || current === email
      ? '<p>The link was asked for in another browser. Go on only if you asked for it yourself.</p>'
      : `<p>You are signed in as <strong>${escaped(current)}</strong> in this browser. Go on only if you asked for this link yourself.</p>`
  const html = page(
    'Sign in',
    `<h1>Sign in as ${escaped(email)}?</h1>
    ${now}
    <form method="post"><div class="buttons"><button>Sign in as ${escaped(email)}</button></div></form>
    <p><a href="/">Stay as you are</a></p>`,
  )
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    // The address has the token. The form needs its Origin.
    'Referrer-Policy': 'same-origin',
    // The form is answered with a redirect, which may lead to the front end.
    ...(frontend !== undefined && {
      'Content-Security-Policy': `default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self' ${new URL(frontend).origin}`,
    }),
  }
  return new Response(html, { headers })
}
