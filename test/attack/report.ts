// The result of an attack: figures, each with its limit, printed as a table.

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

/** A condition that must be true. */
export const holds = (what: string, isGood: boolean, otherwise = 'no'): Figure => ({
  what,
  value: isGood ? 'yes' : otherwise,
  limit: 'yes',
  isGood,
})

const round = (value: number) => (Number.isInteger(value) ? value : value.toFixed(1))

/** Prints the figures of all chapters. Returns true if all are within their limits. */
export function report(chapters: readonly { name: string; figures: readonly Figure[] }[]): boolean {
  const all = chapters.flatMap(({ figures }) => figures)
  const width = (read: (figure: Figure) => string) => Math.max(...all.map(figure => read(figure).length), 0)
  const [what, value, limit] = [width(figure => figure.what), width(figure => figure.value), width(figure => figure.limit)]
  for (const { name, figures } of chapters) {
    console.log(`\n${name}`)
    for (const figure of figures)
      console.log(
        `  ${figure.what.padEnd(what)}  ${figure.value.padStart(value)}  ${figure.limit.padEnd(limit)}  ${figure.isGood ? 'ok' : 'FAILED'}`,
      )
  }
  const failed = all.filter(({ isGood }) => !isGood).length
  console.log(`\n${all.length - failed} of ${all.length} figures keep to their limits`)
  return failed === 0
}
