// A cache with one value per object, stored in a hidden property of the object. Without it, what is derived from a document, a schema or a
// database (a compiled document, a batcher) would be made again for each request: documents would be compiled each time, and concurrent calls
// would not find the batch that they share.

/**
 * Returns a function that creates the holder's value on the first call and returns the same one afterwards. Copies of the holder do not
 * have it. Not a WeakMap: V8's young-generation collections treat its values as reachable, so they would long outlive the holder.
 */
export function perObject<Holder extends object, Value>(create: (holder: Holder) => Value): (holder: Holder) => Value {
  const key = Symbol('perObject')
  return (holder: Holder & { [key]?: Value }) => {
    const known = holder[key]
    if (known !== undefined) return known
    const value = create(holder)
    Object.defineProperty(holder, key, { value })
    return value
  }
}
