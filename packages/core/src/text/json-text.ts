/** The JSON text of a value; empty where it has none, as a cycle or nesting without end. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
