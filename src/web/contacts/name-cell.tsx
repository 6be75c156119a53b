// The first column: initials and name of a contact. It uses plain elements, because each row has one.

import { type Contact, nameOf } from '../contact-record/fields/fields.ts'
import { firstCharacters } from '../language/characters.ts'
import classes from './name-cell.module.css'

export function NameCell({ contact }: { contact: Contact }) {
  return (
    <span className={classes.cell}>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(contact.fullName ?? contact.email ?? '?')}
      </span>
      <span
        className={classes.name}
        data-nameless={contact.fullName ? undefined : true}
        data-deleted={contact.deletedAt ? true : undefined}
      >
        {nameOf(contact)}
      </span>
    </span>
  )
}

/** Returns "AL" for "Ada Lovelace", "AD" for "ada@example.com". */
function initialsOf(name: string): string {
  const [first = '', second] = name.split(' ').filter(word => word !== '')
  const letters = second === undefined ? firstCharacters(first, 2) : firstCharacters(first, 1) + firstCharacters(second, 1)
  return letters.toUpperCase()
}
