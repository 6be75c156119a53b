// A status: a dot and a word, never colour alone. Of plain elements, because lists have hundreds.

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

/** `NO_ANSWER` as "No answer". */
export function words(value: string): string {
  const text = value.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Values of an enumeration as the options of a select. */
export const optionsOf = <Value extends string>(values: readonly Value[]) => values.map(value => ({ value, label: words(value) }))
