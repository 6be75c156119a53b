// Renders its children from the first opening on. They stay after closing, so that the closing animation can be seen.

import { type ReactNode, Suspense, useRef } from 'react'

export function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const wasOpen = useRef(false)
  if (isOpen) wasOpen.current = true
  return wasOpen.current ? <Suspense>{children}</Suspense> : null
}
