// A choice between two ways. It uses radio buttons of the browser: Mantine's `SegmentedControl` is large for a page that strangers wait for.

import classes from './two-ways.module.css'

interface TwoWaysProps<Way extends string> {
  label: string
  value: Way
  ways: readonly (readonly [value: Way, label: string])[]
  onChange(way: Way): void
}

export function TwoWays<Way extends string>({ label, value, ways, onChange }: TwoWaysProps<Way>) {
  return (
    <div role="radiogroup" aria-label={label} className={classes.ways}>
      {ways.map(([way, text]) => (
        <label key={way} className={classes.way}>
          <input type="radio" name={label} checked={way === value} onChange={() => onChange(way)} />
          {text}
        </label>
      ))}
    </div>
  )
}
