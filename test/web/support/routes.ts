// The addresses of the app, as its router has them.

import { join } from 'node:path'
import { vi } from 'vitest'

export interface Address {
  /** With its parameters: `/contacts/$contactId`. */
  path: string
  isForDevelopers: boolean
}

interface Route {
  options: { path?: string; staticData?: { isForDevelopers?: true } }
  children?: readonly Route[] | Readonly<Record<string, Route>>
}

/** Every address. The modules of the routes expect a browser when they load, so they get as much of one as they read. */
export async function addressesOfApp(): Promise<Address[]> {
  const place = { pathname: '/', search: '' }
  const storage = { getItem: () => null }
  const globals = {
    window: { location: place, addEventListener() {} },
    location: place,
    document: {},
    localStorage: storage,
    sessionStorage: storage,
  }
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  // By its address, because these files have the types of a browser.
  const { routes } = (await import(join(import.meta.dirname, '../../../src/web/generated/places.ts'))) as { routes: readonly Route[] }
  vi.unstubAllGlobals()
  return addressesOf(routes, '')
}

function addressesOf(routes: NonNullable<Route['children']>, above: string): Address[] {
  return Object.values(routes).flatMap(({ options, children }) => {
    const path = `${above}${options.path ?? ''}`.replace(/(?<=.)\/$/, '')
    // A route with children has no screen of its own: its child `/` has.
    return children ? addressesOf(children, path) : [{ path, isForDevelopers: options.staticData?.isForDevelopers ?? false }]
  })
}
