// A cache with one value per object, stored in a hidden property of that object. It holds values derived from a document, a schema or a
// database, such as a compiled document or a batcher. Without it documents would be compiled for each request, and concurrent calls would
// not find the batcher that they share.

/**
 * Returns a function that creates the value of `holder` on the first call and returns the same value afterwards. Copies of the holder do
 * not have it. Not a WeakMap: V8's young-generation collections treat its values as reachable, so they would long outlive the holder.
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
