/** What something that was thrown says, whatever it is. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
