// The HTML of /claim/<token>: a form that works without scripts, and the result.

import type { OpenInvitation } from '../invitations/invitation.ts'
import { escapeHtml, page } from './page.ts'

export interface Sent {
  email?: string
  name?: string
}

/** The form, with the error of the last attempt, or what comes next. `hasPasswords` is false with an external identity provider. */
export function formPage(
  invitation: OpenInvitation,
  { hasPasswords, sent = {}, problem, notice }: { hasPasswords: boolean; sent?: Sent; problem?: string; notice?: string },
): string {
  const what = invitation.role === 'owner' ? 'the owner' : `${invitation.role === 'admin' ? 'an' : 'a'} ${invitation.role}`
  const until = invitation.expiresAt.toISOString().slice(0, 16).replace('T', ' ')
  const form = `<form method="post">
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" autocomplete="username" required maxlength="255" value="${escapeHtml(sent.email ?? invitation.email ?? '')}">
      <label for="password">Password <small>10 characters or more</small></label>
      <input id="password" name="password" type="password" autocomplete="current-password" required minlength="10" maxlength="128">
      <label for="name">Name <small>for a new account</small></label>
      <input id="name" name="name" autocomplete="name" maxlength="200" value="${escapeHtml(sent.name ?? '')}">
      <div class="buttons">
        <button name="action" value="sign_up">Create an account</button>
        <button name="action" value="sign_in" class="second">I have an account: sign in</button>
      </div>
    </form>`
  return page(
    `Join ${invitation.organizationName}`,
    `<h1>Become ${what} of ${escapeHtml(invitation.organizationName)}</h1>
    <p>This address works once, until ${until} UTC.</p>
    ${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
    ${notice ? `<p class="notice" role="status">${escapeHtml(notice)}</p>` : ''}
    ${hasPasswords ? form : '<p>Sign in at your identity provider, and send its token:</p>'}
    <h2>From a command line</h2>
    <pre tabindex="0" role="region" aria-label="Command"><code>${hasPasswords ? curlWithPassword : curlWithToken}</code></pre>`,
  )
}

const curlWithPassword = `curl -s -X POST &lt;this address&gt; -H 'Content-Type: application/json' \\
  -d '{"action":"sign_up","email":"...","password":"...","name":"..."}'`
const curlWithToken = `curl -s -X POST &lt;this address&gt; -H "Authorization: Bearer $TOKEN"`

export interface Joined {
  organization: { id: string; name: string; role: string }
  sessionToken: string
  expiresAt: Date
}

/** The result, with the session's token. It is shown once, because only its hash is stored. */
export function joinedPage({ organization, sessionToken, expiresAt }: Joined, url: string): string {
  return page(
    `You have joined ${organization.name}`,
    `<h1>You are ${/^[ao]/.test(organization.role) ? `an ${organization.role}` : `a ${organization.role}`} of ${escapeHtml(organization.name)}</h1>
    <p>This is your session, shown this once. It works until ${expiresAt.toISOString().slice(0, 10)}, and 30 days after each use.</p>
    <pre tabindex="0" role="region" aria-label="Session"><code>${escapeHtml(sessionToken)}</code></pre>
    <h2>First request</h2>
    <pre tabindex="0" role="region" aria-label="First request"><code>curl -s ${escapeHtml(url)}/api/crm/v1/contacts \\
  -H "Authorization: Bearer ${escapeHtml(sessionToken)}" \\
  -H "X-Org-Id: ${escapeHtml(organization.id)}"</code></pre>
    <p>Later sessions come by signing in with your email address and password.</p>`,
  )
}

/** Where the link leads that verifies the address of who signs up for an invitation. */
export const verifiedPage = (isVerified: boolean) =>
  isVerified
    ? page(
        'Your address is verified',
        '<h1>Your address is verified</h1>\n    <p>Open the address of your invitation again, and sign in there with the password that you chose.</p>',
      )
    : page(
        'Your address is not verified',
        '<h1>Your address is not verified</h1>\n    <p>This link is too old. Open the address of your invitation again, and create the account once more.</p>',
      )

export const closedPage = (sentence: string) =>
  page('Nothing to claim here', `<h1>Nothing to claim here</h1>\n    <p>${escapeHtml(sentence)}</p>`)
