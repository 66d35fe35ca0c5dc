import type { OpenSession } from './session.ts'

/** What the user wants whole is still wanted, though it was said later than the place that is gone back to. */
export async function keepPins(session: OpenSession, before: readonly string[], shown: ReadonlySet<string>): Promise<void> {
  const now = new Set(session.state().pins)
  const pin = before.filter((id) => shown.has(id) && !now.has(id))
  if (pin.length > 0) await session.append([{ type: 'edits', pin }])
}
