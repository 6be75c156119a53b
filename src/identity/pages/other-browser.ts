// The pages that ask before a link from a mail signs a browser in which did not ask for it, or in which somebody else is signed in.

import { escapeHtml, page } from './page.ts'
import { maxPasswordLength } from './password.ts'

interface Accounts {
  /** The account that the link signs in. */
  email: string
  /** The account that is signed in now. */
  current: string | null
}

/** The question of a link to sign in. */
export function otherBrowserPage({ email, current }: Accounts, frontend: string | undefined): Response {
  const now =
    current === null || current === email
      ? '<p>The link was asked for in another browser. Go on only if you asked for it yourself.</p>'
      : `<p>${sentenceOnSignIn(current)} Go on only if you asked for this link yourself.</p>`
  const form = `<form method="post"><div class="buttons"><button>Sign in as ${escapeHtml(email)}</button></div></form>`
  return question(200, `${titleOf(email)}\n    ${now}\n    ${form}`, frontend)
}

/** The question of a link that verifies the address of a new account, with the problem of the last attempt. */
export function verificationPage({ email, current, problem }: Accounts & { problem?: string }, frontend: string | undefined): Response {
  const now = current === null || current === email ? '' : `${sentenceOnSignIn(current)} `
  const content = `${titleOf(email)}
    <p>${now}Somebody signed up with this address in another browser. If it was you, type the password that you chose there.</p>
    ${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
    <form method="post">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="${maxPasswordLength}">
      <div class="buttons">
        <button name="way" value="password">Sign in</button>
        <button name="way" value="link" class="second" formnovalidate>Go on without this password</button>
      </div>
    </form>
    <p>If you go on without it, that password stops working.</p>`
  return question(problem === undefined ? 200 : 400, content, frontend)
}

const titleOf = (email: string) => `<h1>Sign in as ${escapeHtml(email)}?</h1>`
const sentenceOnSignIn = (email: string) => `You are signed in as <strong>${escapeHtml(email)}</strong> in this browser.`

/** The form of `content` is sent to the link's own address. */
function question(status: number, content: string, frontend: string | undefined): Response {
  const html = page('Sign in', `${content}\n    <p><a href="/">Stay as you are</a></p>`)
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    // The address has the token. The form needs its Origin.
    'Referrer-Policy': 'same-origin',
    // The form is answered with a redirect, which may lead to the front end.
    ...(frontend !== undefined && {
      'Content-Security-Policy': `default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self' ${new URL(frontend).origin}`,
    }),
  }
  return new Response(html, { status, headers })
}
