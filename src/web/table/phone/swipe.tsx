// A swipe to the right over a card. The browser keeps vertical movements, so the list scrolls as before. The checkbox of the card does the same.

import { IconCheck } from '@tabler/icons-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import classes from '../table.module.css'

interface SwipeProps {
  /** Undefined for a card that does not move. */
  onSwipe: (() => void) | undefined
  children: ReactNode
}

// Pixels: a finger that only taps moves less than the first, and the second is a quarter of a phone's width.
const begins = 10
const isEnough = 96

export function Swipe({ onSwipe, children }: SwipeProps) {
  const start = useRef<{ x: number; y: number } | null>(null)
  // The click behind a swipe must not open the card.
  const wasSwiped = useRef(false)
  const [by, setBy] = useState(0)
  const rest = () => {
    start.current = null
    setBy(0)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!start.current) return
    const right = event.clientX - start.current.x
    const down = Math.abs(event.clientY - start.current.y)
    if (!wasSwiped.current && (right < begins || right < 2 * down)) return
    if (!wasSwiped.current) event.currentTarget.setPointerCapture(event.pointerId)
    wasSwiped.current = true
    setBy(Math.max(right, 0))
  }
  if (!onSwipe)
    return (
      <div className={classes.swipe}>
        <div className={classes.moved}>{children}</div>
      </div>
    )
  return (
    <div
      className={classes.swipe}
      data-moves
      data-far={by >= isEnough || undefined}
      onPointerDown={event => {
        wasSwiped.current = false
        if (event.isPrimary && event.pointerType !== 'mouse') start.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={event => {
        // By the event: the state may be a movement behind.
        const isFar = wasSwiped.current && start.current !== null && event.clientX - start.current.x >= isEnough
        rest()
        if (isFar) onSwipe()
      }}
      onPointerCancel={rest}
      onClickCapture={event => {
        // A key's click has no detail.
        if (!wasSwiped.current || event.detail === 0) return
        wasSwiped.current = false
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      {by > 0 && <IconCheck className={classes.swiped} aria-hidden />}
      <div className={classes.moved} style={by > 0 ? { transform: `translateX(${by}px)` } : undefined}>
        {children}
      </div>
    </div>
  )
}
