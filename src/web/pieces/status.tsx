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
