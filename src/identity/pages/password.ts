// The page for choosing a new password, used when the request for the link names no page of its own.

import { createAuthEndpoint, isAPIError } from 'better-auth/api'
import { z } from 'zod'
import { page as htmlPage } from './page.ts'

export const minPasswordLength = 10
// The library's.
export const maxPasswordLength = 128
const path = '/choose-password'

/** The link for resetting a password, redirecting to the page unless it has another target. */
export function withPasswordPage(link: string, basePath: string): string {
  const url = new URL(link)
  if (!url.searchParams.get('callbackURL')) url.searchParams.set('callbackURL', basePath + path)
  return url.href
}

/** The endpoints of the page and its form. `reset` throws the library's error for a used link, or an invalid password. */
export const passwordPage = (reset: (body: { token: string; newPassword: string }) => Promise<unknown>) => ({
  choosePasswordPage: createAuthEndpoint(
    path,
    { method: 'GET', query: z.object({ token: z.string().optional() }).optional() },
    async ctx => {
      const token = ctx.query?.token ?? ''
      return isToken(token) ? page(200, form(token)) : page(400, usedUp)
    },
  ),
  choosePassword: createAuthEndpoint(
    path,
    {
      method: 'POST',
      body: z.object({ token: z.string(), newPassword: z.string() }),
      metadata: { allowedMediaTypes: ['application/x-www-form-urlencoded'] },
    },
    async ctx => {
      const { token } = ctx.body
      if (!isToken(token)) return page(400, usedUp)
      try {
        await reset(ctx.body)
        return page(200, '<p>Your password is changed, and you are signed out everywhere. Sign in with the new one.</p>')
      } catch (error) {
        if (!isAPIError(error)) throw error
        return page(
          400,
          error.body?.code === 'INVALID_TOKEN'
            ? usedUp
            : `<p class="problem" role="alert">The password must have ${minPasswordLength} to ${maxPasswordLength} characters.</p>${form(token)}`,
        )
      }
    },
  ),
})

// The format of the library's tokens. Anything else is not inserted into the page.
const isToken = (text: string) => /^[0-9A-Za-z]{10,64}$/.test(text)

const usedUp = '<p>This link was used already, or is too old. Ask for another one.</p>'
const form = (token: string) => `<form method="post">
      <input type="hidden" name="token" value="${token}">
      <label for="password">New password <small>${minPasswordLength} characters or more</small></label>
      <input id="password" type="password" name="newPassword" minlength="${minPasswordLength}" maxlength="${maxPasswordLength}" autocomplete="new-password" required autofocus>
      <div class="buttons"><button>Change it, and sign out everywhere</button></div>
    </form>`

function page(status: number, content: string): Response {
  const html = htmlPage('New password', `<h1>New password</h1>\n    ${content}`)
  // The URL contains the token, so other sites get no Referer. The page's own form needs one for the origin check.
  return new Response(html, { status, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'same-origin' } })
}
