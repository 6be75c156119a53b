// Enumerations: the values that a field may have, each with its meaning.

export interface Enumeration<Value extends string = string> {
  /** The name of the GraphQL enum. */
  readonly name: string
  readonly description: string
  readonly values: readonly Value[]
  readonly meanings: Readonly<Record<Value, string>>
}

export type ValueOf<Of> = Of extends Enumeration<infer Value> ? Value : never

/** Declares an enumeration. `meanings`: the meaning of each value, in the order of the values. */
export const enumeration = <Value extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Value, string>>,
): Enumeration<Value> => ({
  name,
  description,
  // Object.keys does not keep the key type; the keys are exactly these.
  values: Object.keys(meanings) as Value[],
  meanings,
})
