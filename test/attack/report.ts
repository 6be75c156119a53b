// The result of an attack: figures, each with its limit.

export interface Figure {
  what: string
  /** The printed value. */
  value: string
  limit: string
  isGood: boolean
}

/** A figure that must not exceed its limit. */
export const atMost = (what: string, value: number, limit: number, unit = ''): Figure => ({
  what,
  value: `${round(value)}${unit && ` ${unit}`}`,
  limit: `<= ${limit}${unit && ` ${unit}`}`,
  isGood: value <= limit,
})

const round = (value: number) => (Number.isInteger(value) ? value : value.toFixed(1))

/** The figures as a table. */
export function report(figures: readonly Figure[]): string {
  const width = (read: (figure: Figure) => string) => Math.max(...figures.map(figure => read(figure).length), 0)
  const [what, value, limit] = [width(figure => figure.what), width(figure => figure.value), width(figure => figure.limit)]
  return figures
    .map(
      figure =>
        `${figure.what.padEnd(what)}  ${figure.value.padStart(value)}  ${figure.limit.padEnd(limit)}  ${figure.isGood ? 'ok' : 'FAILED'}`,
    )
    .join('\n')
}
