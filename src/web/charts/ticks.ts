// The marks of an axis of whole numbers.

// Fewer leave a chart without a scale, more are too close on a phone.
const most = 4

/** From 0 in equal steps of a round number, up to the largest value or a little further. */
export function ticksTo(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest / most)))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(one => one * most >= largest) ?? power
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step)
}
