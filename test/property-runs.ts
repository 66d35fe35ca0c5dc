/** The most values that an expensive property tries. A quick run sets it; else each tries as many as it was given. */
const most = Number(process.env['PROPERTY_RUNS'] ?? Number.POSITIVE_INFINITY)

/** How many values a property tries that takes long enough for a quick run to try fewer. */
export function tries(count: number): number {
  return Math.min(count, most)
}
