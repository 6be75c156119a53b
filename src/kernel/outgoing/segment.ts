// Values in the paths of addresses. Every value that somebody else chose goes through `segment`, or is refused by `isSegment`.

/** Whether the value, encoded, is one segment of a path: URLs read `.` and `..`, also as `%2e`, as steps to another one. */
export const isSegment = (value: string): boolean => !/^(?:\.|%2e){1,2}$/i.test(value)

/** The value as one segment of a path. Throws an error with a sentence for `.` and `..`. */
export function segment(value: string): string {
  if (!isSegment(value)) throw new Error(`"${value}" cannot be part of an address`)
  return encodeURIComponent(value)
}
