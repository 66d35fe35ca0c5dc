import { binaryFields, type Config } from '@plimsoll/core/policies'
import type { WireDialect } from '../../store/gateway-record.ts'

/** Whether a body is so small that the rules of `safe` have nothing to cut in it, whoever's results it holds. */
export type SmallBodyCheck = (dialect: WireDialect, body: Uint8Array) => boolean

/**
 * Tells small bodies by their bytes alone, without reading them: no result can be longer than all of the body, or have more lines than
 * the body has signs that may begin one. What is not clearly small is not.
 */
export function createSmallBodyCheck({ tool_output_limits: { default: common, tools } }: Config): SmallBodyCheck {
  const rows = Object.entries(tools)
  return (dialect, given) => {
    // Results there are values, and a number may be longer than it was written.
    if (dialect === 'gemini') return false
    const body = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    if (exceeds(body.length, common.max_chars)) return false
    const lines = mostLines(body)
    if (exceeds(lines, common.max_lines) || telling.some((name) => body.includes(name))) return false
    return !rows.some(
      ([tool, limits]) => (exceeds(body.length, limits.max_chars) || exceeds(lines, limits.max_lines)) && body.includes(tool),
    )
  }
}

/** A configuration may hold anything: what is no number sets no limit. */
function exceeds(size: number, limit: number | undefined): boolean {
  return limit !== undefined && size > limit
}

/** Lines begin behind an escaped character, or with another part of a result. */
function mostLines(body: Uint8Array): number {
  let lines = 1
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (byte === backslash || byte === openBrace) lines += 1
  }
  return lines
}

const backslash = 0x5c
const openBrace = 0x7b

/**
 * What may be a field that is data by its name, or something that the client asks to be cleared. An escape may write any name in another
 * way.
 */
const telling: readonly string[] = [...binaryFields, 'context_management', String.raw`\u`]
