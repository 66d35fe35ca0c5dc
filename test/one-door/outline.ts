import { hash } from 'node:crypto'
import type { Message } from '@plimsoll/core'

/** Messages without their ids, each in a form that is short to print. */
export function outline(messages: readonly Message[]): readonly string[] {
  return messages.map(({ role, parts }) => {
    const text = JSON.stringify(parts)
    return `${role} ${hash('sha256', text)} ${text.slice(0, 60)} … ${text.slice(-60)}`
  })
}

/** The first message in which two outlines differ; null if none does. */
export function outlineDifference(
  was: readonly string[],
  is: readonly string[],
): { readonly was: string; readonly is: string } | null {
  for (let index = 0; index < Math.max(was.length, is.length); index += 1) {
    const one = was[index] ?? 'nothing'
    const other = is[index] ?? 'nothing'
    if (one !== other) return { was: `message ${index}: ${one}`, is: `message ${index}: ${other}` }
  }
  return null
}
