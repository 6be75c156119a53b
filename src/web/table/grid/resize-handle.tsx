// The right edge of a header cell. Dragging it changes the column's width, a double click gives the column its own width again.

import { useRef } from 'react'
import classes from '../table.module.css'

interface ResizeHandleProps {
  width: number
  isResizing: boolean
  onResizing(isResizing: boolean): void
  onResize(width: number | undefined): void
}

export function ResizeHandle({ width, isResizing, onResizing, onResize }: ResizeHandleProps) {
  const start = useRef({ x: 0, width })
  return (
    <div
      className={classes.handle}
      data-resizing={isResizing || undefined}
      aria-hidden="true"
      onPointerDown={event => {
        // The pointer belongs to the handle until it is released, wherever it moves.
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
        onResizing(true)
      }}
      onPointerMove={event => isResizing && onResize(start.current.width + event.clientX - start.current.x)}
      onLostPointerCapture={() => onResizing(false)}
      onDoubleClick={() => onResize(undefined)}
    />
  )
}
