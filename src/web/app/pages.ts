// The pages before the app, each with its address. The app has all other addresses. These pages do not load the router, so strangers do not wait
// for it.

import type { ComponentType } from 'react'
import { ownAddress } from '../address/go.ts'
import { chooseOrganizationEarly } from '../session/organizations.ts'

export interface PageProps {
  /** The page's own address, also while another page is loading. */
  address: URL
}

export interface Page {
  /** Matches the page's addresses, without a slash at the end. */
  path: RegExp
  load(): Promise<ComponentType<PageProps>>
  /** Where a caller is redirected to. Null, or without this function, the caller stays. */
  leadsTo?(address: URL): string | null
}

export const app: Page = {
  path: /^/,
  async load() {
    const chosen = chooseOrganizationEarly()
    const App = await (await import('./router.tsx')).enterApp()
    // Without this the old page would give way to an empty frame for a moment.
    await chosen
    return App
  },
}

const pages: readonly Page[] = [
  { path: /^\/$/, load: async () => (await import('../welcome/screen.tsx')).WelcomeScreen, leadsTo: () => '/home' },
  {
    path: /^\/sign-in$/,
    load: async () => (await import('../sign-in/screen.tsx')).SignInScreen,
    // A signed-in person stays when an application asks for access, and answers it.
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
