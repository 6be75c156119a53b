// A browser, as far as signing in needs one: it keeps cookies, and follows no redirects.

import type { TestApp } from '../support/app.ts'

export type Browser = ReturnType<typeof browserOf>

/** `body` is sent as JSON, and as a form where it is a URLSearchParams. */
export function browserOf(app: TestApp) {
  const cookies = new Map<string, string>()
  return async (method: string, address: string, body?: object) => {
    const isForm = body instanceof URLSearchParams
    const response = await fetch(new URL(address, app.url), {
      method,
      redirect: 'manual',
      headers: {
        origin: app.url,
        cookie: [...cookies].map(pair => pair.join('=')).join('; '),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return { status: response.status, location: response.headers.get('location'), text: await response.text() }
  }
}

/** The address of who is signed in at the identity provider; null for nobody. */
export const nameIn = async (browser: Browser): Promise<string | null> =>
  JSON.parse((await browser('GET', '/idp/get-session')).text)?.user.email ?? null
