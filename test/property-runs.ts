/** Limit on the values that an expensive property tries, set in a quick run; otherwise each tries its own number. */
const most = Number(process.env['PROPERTY_RUNS'] ?? Number.POSITIVE_INFINITY)

/** The number of values for an expensive property, reduced in a quick run. */
export function tries(count: number): number {
  return Math.min(count, most)
}
