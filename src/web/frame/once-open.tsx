// Renders what is loaded lazily from the first time that it is opened on, and keeps it: closing it can be seen.

import { type ReactNode, Suspense, useRef } from 'react'

export function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const wasOpen = useRef(false)
  if (isOpen) wasOpen.current = true
  return wasOpen.current ? <Suspense>{children}</Suspense> : null
}
