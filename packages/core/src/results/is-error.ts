import type { ToolKind, ToolRules } from '../facts.ts'
import { isRecord, resultText, type ToolResultPart } from '../message.ts'
import { parseJsonData } from '../text/parse-json.ts'

/** What has to be known besides the result itself to say whether it is an error. */
export interface ErrorContext {
  readonly kind: ToolKind
  readonly rules: ToolRules | null
  /** Whether anything on stderr makes a command a failure. */
  readonly stderrIsError: boolean
}

/**
 * Whether a result reports a failure, over every vocabulary in use: the dialect's flag, `messageStatus`, an `Error:` prefix,
 * `success: false`, `status: "error"`, and for commands stderr, exit code, signal and time-out.
 */
export function isError(part: ToolResultPart, context: ErrorContext): boolean {
  if (part.isError === true || part.status === 'error') return true
  const text = resultText(part)
  if (startsWithError(text)) return true
  const value = part.content.type === 'json' && typeof part.content.value !== 'string' ? part.content.value : parseJsonData(text)
  if (value !== undefined) {
    if (saysFailed(value)) return true
    return context.kind === 'terminal' && isRecord(value) && commandFailed(value, context.stderrIsError)
  }
  if (context.kind !== 'terminal') return false
  return looksLikeCommand(text) ? probeCutJson(text, context.stderrIsError) : exitCodeFails(text, context.rules)
}

/** `Error:` at the start, behind blanks and colours if need be. */
function startsWithError(text: string): boolean {
  return /^(?:\s|\u001b\[[\d;]*m){0,50}(?:Error:|<tool_use_error>)/.test(text.slice(0, 500))
}

/** `success: false` and `status: "error"`; a list of results failed when one of them did. */
function saysFailed(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isRecord(item) && 'toolCallId' in item && saysFailed(item))
  if (!isRecord(value)) return false
  if (value['success'] === false || value['isError'] === true || value['is_error'] === true) return true
  return value['status'] === 'error' || value['status'] === 'failed'
}

function commandFailed(value: Readonly<Record<string, unknown>>, stderrIsError: boolean): boolean {
  if (stderrIsError && typeof value['stderr'] === 'string' && value['stderr'].length > 0) return true
  if (value['timedOut'] === true || value['timed_out'] === true || value['timeout'] === true || value['interrupted'] === true)
    return true
  if (typeof value['signal'] === 'string' && value['signal'] !== '') return true
  const code = exitCodeOf(value) ?? (isRecord(value['metadata']) ? exitCodeOf(value['metadata']) : undefined)
  return code !== undefined && code !== 0
}

function exitCodeOf(value: Readonly<Record<string, unknown>>): number | undefined {
  for (const key of ['exitCode', 'exit_code', 'returncode', 'exit']) {
    const code = value[key]
    if (typeof code === 'number') return code
    if (typeof code === 'string' && /^-?\d+$/.test(code)) return Number(code)
  }
  return undefined
}

/** Whether a text has the marks of a command's result written as JSON, whole or cut. */
export function looksLikeCommand(text: string): boolean {
  return text.includes('"stdout":') || text.includes('"stderr":') || text.includes('"exitCode":')
}

function probeCutJson(text: string, stderrIsError: boolean): boolean {
  if (stderrIsError && /"stderr":\s*"[^"]/.test(text)) return true
  if (/"(?:timedOut|timed_out|interrupted)":\s*true/.test(text)) return true
  const code = /"(?:exitCode|exit_code)":\s*"?(-?\d+)/.exec(text)?.[1]
  return code !== undefined && Number(code) !== 0
}

/**
 * Agents put the code at the top or at the bottom; what a command printed in between is not its own. Where an end names several
 * codes, one that is not zero is enough: to keep a success whole costs little, to lose a failure costs much.
 */
function exitCodeFails(text: string, rules: ToolRules | null): boolean {
  const pattern = rules?.exitCode
  if (pattern === undefined) return false
  const everywhere = pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`)
  const ends = text.length > 800 ? [text.slice(0, 400), text.slice(-400)] : [text]
  return ends.some((end) => [...end.matchAll(everywhere)].some((match) => Number(match[1]) !== 0))
}
