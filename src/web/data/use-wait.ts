// Counts down the seconds that the server asks for after a failure.

import { useEffect, useState } from 'react'
import type { Failure } from './failure.ts'

export function useWait(failure: Failure | null): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (!failure?.retryAfter) return setLeft(0)
    const until = Date.now() + failure.retryAfter * 1000
    const show = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    show()
    const timer = setInterval(show, 500)
    return () => clearInterval(timer)
  }, [failure])
  return left
}
