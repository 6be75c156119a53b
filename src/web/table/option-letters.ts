// The letter of each option of a short list: its key takes the option.

interface Option {
  value: string
  label: string
}

/** By value: the first letter of the label, or the next one that is free. */
export function lettersOf(options: readonly Option[]): ReadonlyMap<string, string> {
  const letters = new Map<string, string>()
  const take = ({ value, label }: Option, count?: number) => {
    const taken = new Set(letters.values())
    const free = (label.toLocaleUpperCase().match(/\p{L}/gu) ?? []).slice(0, count).find(letter => !taken.has(letter))
    if (free !== undefined && !letters.has(value)) letters.set(value, free)
  }
  // All first letters before the others: nobody's first letter goes to another option.
  for (const option of options) take(option, 1)
  for (const option of options) take(option)
  return letters
}
