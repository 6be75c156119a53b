// Lists of keys: those that work, and the newest of the others.

/** How many keys that work no more a list has. Those that work have a maximum. */
export const maxEnded = 200

export const newestFirst = <Key extends { id: string; createdAt: Date }>(keys: readonly Key[]): Key[] =>
  keys.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (other.id > one.id ? 1 : -1))
