/** Whether a value is a mapping from keys to values, as opposed to a list or a single value. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
