// The page on which a new password is chosen, where the request for the link named no page of its own.

import { createAuthEndpoint, isAPIError } from 'better-auth/api'
import { z } from 'zod'
import { page as htmlPage } from './html-page.ts'

export const minPasswordLength = 10
const path = '/choose-password'

/** The link with which a password is reset, leading to the page unless it leads elsewhere already. */
export function withPasswordPage(link: string, basePath: string): string {
  const url = new URL(link)
  if (!url.searchParams.get('callbackURL')) url.searchParams.set('callbackURL', basePath + path)
  return url.href
}

/** The page, and what its form is sent to. `reset` throws the library's error for a link that is used up, or a password that will not do. */
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
            : `<p class="problem" role="alert">The password must have 10 to 128 characters.</p>${form(token)}`,
        )
      }
    },
  ),
})

// As the library makes them. Nothing else gets into the page.
const isToken = (text: string) => /^[0-9A-Za-z]{10,64}$/.test(text)

const usedUp = '<p>This link was used already, or is too old. Ask for another one.</p>'
const form = (token: string) => `<form method="post">
      <input type="hidden" name="token" value="${token}">
      <label for="password">New password <small>${minPasswordLength} characters or more</small></label>
      <input id="password" type="password" name="newPassword" minlength="${minPasswordLength}" maxlength="128" autocomplete="new-password" required autofocus>
      <div class="buttons"><button>Change it, and sign out everywhere</button></div>
    </form>`

function page(status: number, content: string): Response {
  const html = htmlPage('New password', `<h1>New password</h1>\n    ${content}`)
  // The address holds the token: it is told to nobody else, but our own form must say where it comes from.
  return new Response(html, { status, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'same-origin' } })
}
