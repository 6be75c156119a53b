// Declarations that modules make while they load, by name. The root of the schema seals it when every module has loaded; it is read after that.

let isSealed = false
const waiting: (() => void)[] = []

/** Declarations of one kind. `add` throws when it is too late, `all` when it is too early. */
export function declarations<Value>(kind: string): { add(name: string, value: Value): void; all(): ReadonlyMap<string, Value> } {
  const values = new Map<string, Value>()
  let sorted: ReadonlyMap<string, Value> | undefined
  return {
    add(name, value) {
      if (isSealed) throw new Error(`The ${kind} ${name} is declared too late: nothing that the root of the schema imports loads its file`)
      if (values.has(name)) throw new Error(`The ${kind} ${name} is declared twice`)
      values.set(name, value)
    },
    // By name: the order in which modules load says nothing to a reader.
    all() {
      if (!isSealed) throw new Error(`Not every ${kind} is declared yet: load the root of the schema first`)
      sorted ??= new Map([...values].toSorted(([one], [other]) => (one < other ? -1 : 1)))
      return sorted
    },
  }
}

/** Runs the work when everything is declared. */
export const whenSealed = (work: () => void): void => void waiting.push(work)

/** Called by the root of the schema, once. */
export function seal(): void {
  isSealed = true
  for (const work of waiting) work()
}
