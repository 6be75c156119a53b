// A status: a dot and a word, never colour alone. It uses plain elements, because lists have hundreds.

import classes from './status.module.css'

export type Tone = 'good' | 'waiting' | 'failing' | 'information' | 'quiet'

export function Status({ tone, label }: { tone: Tone; label: string }) {
  return (
    <span className={classes.status} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      {label}
    </span>
  )
}

/** Returns "No answer" for `NO_ANSWER`. */
export function words(value: string): string {
  const text = value.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The values of an enumeration as options of a select. */
export const optionsOf = <Value extends string>(values: readonly Value[]) => values.map(value => ({ value, label: words(value) }))
