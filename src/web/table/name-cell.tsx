// The first column: initials and name of a contact or company. It uses plain elements, because each row has one.

import { initialsOf } from '../language/characters.ts'
import classes from './name-cell.module.css'

interface NameCellProps {
  name: string
  /** The text of the initials, if it is another one; null for none. */
  initials?: string | null
  isNameless?: boolean
  isDeleted: boolean
}

export function NameCell({ name, initials = name, isNameless = false, isDeleted }: NameCellProps) {
  return (
    <span className={classes.cell}>
      {initials !== null && (
        <span className={classes.initials} aria-hidden="true">
          {initialsOf(initials)}
        </span>
      )}
      <span className={classes.name} data-nameless={isNameless || undefined} data-deleted={isDeleted || undefined}>
        {name}
      </span>
    </span>
  )
}
