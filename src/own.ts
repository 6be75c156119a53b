// What one file keeps for each object of another: on the object itself.

/**
 * Something of which each holder has its own, made when it is first asked for. Copies of the holder do not take it along. In a WeakMap it
 * would outlive the holder by far: V8's young collections take whatever stands in one for reachable.
 */
export function ofEach<Holder extends object, Value>(create: (holder: Holder) => Value): (holder: Holder) => Value {
  const key = Symbol('ofEach')
  return (holder: Holder & { [key]?: Value }) => {
    const known = holder[key]
    if (known !== undefined) return known
    const value = create(holder)
    Object.defineProperty(holder, key, { value })
    return value
  }
}
