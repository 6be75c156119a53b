// Stands for the rows that are not rendered, so that the scroll bar tells how long the list is.

import classes from '../table.module.css'

export function Spacer({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus; the rule knows rows of grids only.
    <tr aria-hidden="true">
      <td className={classes.spacer} style={{ height }} />
    </tr>
  )
}
