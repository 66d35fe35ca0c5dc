import { binaryFields, type Config, type WireDialect } from '@plimsoll/core'

/** Whether a body is so small that the rules of `safe` have nothing to cut in it, whoever's results it holds. */
export type SmallBodyCheck = (dialect: WireDialect, body: Uint8Array) => boolean

/**
 * Tells small bodies by their bytes alone, without reading them: no result can be longer than all of the body, or have more lines than
 * the body has signs that may begin one. What is not clearly small is not.
 */
export function createSmallBodyCheck({ tool_output_limits: { default: common, tools } }: Config): SmallBodyCheck {
  const rows = [common, ...Object.values(tools)]
  const leastCharacters = Math.min(...rows.map(({ max_chars }) => limitOr(max_chars)))
  const leastLines = Math.min(...rows.map(({ max_lines }) => limitOr(max_lines)))
  return (dialect, body) =>
    // Results there are values, and a number may be longer than it was written.
    dialect !== 'gemini' && body.byteLength <= leastCharacters && mostLines(body) <= leastLines && !namesData(body)
}

function limitOr(limit: number | undefined): number {
  return limit === undefined || Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit
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

/** Whether it may have a field that is data by its name, or something that the client asks to be cleared. */
function namesData(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return telling.some((name) => bytes.includes(name))
}

/** An escape may write any name in another way. */
const telling: readonly string[] = [...binaryFields, 'context_management', String.raw`\u`]
