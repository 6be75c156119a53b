// JSON of what came from outside, without what PostgreSQL cannot keep: NUL characters and halves of surrogate pairs.

export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part))
