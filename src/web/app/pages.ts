// What this app has at which address: the pages before the app, and the app itself everywhere else. Those pages do without the router, so
// that a stranger does not wait for it.

import type { ComponentType } from 'react'
import { ownAddress } from '../address/go.ts'
import { chooseOrganizationEarly } from '../session/organizations.ts'

export interface PageProps {
  /** The page's own, also while another one is loaded. */
  address: URL
}

export interface Page {
  /** Matches the page's addresses, without a slash at their end. */
  path: RegExp
  load(): Promise<ComponentType<PageProps>>
  /** The address to which signed-in users and guests are led from this page. Null or absent: they stay. */
  leadsTo?(address: URL): string | null
}

export const app: Page = {
  path: /^/,
  async load() {
    const chosen = chooseOrganizationEarly()
    const App = await (await import('./router.tsx')).enterApp()
    // Without it the frame would stand empty for a moment, in place of what was there before.
    await chosen
    return App
  },
}

const pages: readonly Page[] = [
  { path: /^\/$/, load: async () => (await import('../welcome/screen.tsx')).WelcomeScreen, leadsTo: () => '/home' },
  {
    path: /^\/sign-in$/,
    load: async () => (await import('../sign-in/screen.tsx')).SignInScreen,
    // For an application who is signed in stays, and is asked.
    leadsTo: ({ searchParams }) => (searchParams.get('redirect_uri') ? null : ownAddress(searchParams.get('back') ?? '/home')),
  },
  { path: /^\/sign-in\/finish$/, load: async () => (await import('../sign-in/finish.tsx')).FinishScreen },
  { path: /^\/reset-password$/, load: async () => (await import('../sign-in/reset-password.tsx')).ResetPasswordScreen },
  { path: /^\/claim\/[^/]+$/, load: async () => (await import('../sign-in/invitation/claim.tsx')).ClaimScreen },
  { path: /^\/oauth\/authorize$/, load: async () => (await import('../sign-in/programs/client.tsx')).ClientScreen },
  { path: /^\/device$/, load: async () => (await import('../sign-in/programs/device.tsx')).DeviceScreen },
]

export function pageAt({ pathname }: URL): Page {
  const address = pathname.replace(/(?<=[^/])\/+$/, '')
  return pages.find(({ path }) => path.test(address)) ?? app
}
