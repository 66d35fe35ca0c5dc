import { countLines } from '../truncation/code-points.ts'
import { firstLines, lastLinesLength, withoutLastNewline } from '../truncation/line-ends.ts'
import { terminalText } from '../truncation/terminal-text.ts'
import { clip, clipLine, clipTogether } from './clip.ts'
import { subject } from './digest-entries.ts'
import type { DigestFields, DigestSource } from './digest-source.ts'
import { shortFields } from './short-fields.ts'

/** A command: what ran, its exit code, the beginning and end of what it printed, and the end of its complaints. */
export function digestCommand(text: string, source: DigestSource): DigestFields {
  const { about, isError, settings } = source
  return {
    ...subject('command', about),
    ...exitCodeIn(text),
    ...outputSummary(text, settings),
    // Where the two streams are one, the complaints of a failed command are at the end of it.
    ...(isError ? { stderr_tail: tailOf(text, settings.stderr_lines) } : {}),
  }
}

/** A command whose streams are told apart. */
export function digestStreams(fields: DigestFields, { about, settings }: DigestSource): DigestFields {
  const { stdout, output, stderr, stdout_summary: summary, stderr_tail: tail, ...rest } = fields
  const printed = typeof stdout === 'string' ? stdout : output
  const complaints = typeof stderr === 'string' ? stderr : tail
  return {
    ...(typeof fields['command'] === 'string' ? {} : subject('command', about)),
    ...shortFields(rest, { items: settings.stdout_tail_lines }),
    ...(typeof printed === 'string' ? outputSummary(printed, settings) : {}),
    ...(typeof summary === 'string' ? { stdout_summary: clip(summary, settings.stdout_chars) } : {}),
    ...(typeof complaints === 'string' && complaints !== '' ? { stderr_tail: tailOf(complaints, settings.stderr_lines) } : {}),
  }
}

function outputSummary(printed: string, settings: DigestSource['settings']): DigestFields {
  const { stdout_head_lines: head, stdout_tail_lines: tail, stdout_chars: characters } = settings
  const text = printed.trimEnd()
  const total = countLines(text)
  if (total <= head + tail) return { stdout_summary: clipTogether(linesOf(text), characters) }
  const first = head > 0 ? linesOf(firstLines(text, head)) : []
  const last = tail > 0 ? linesOf(lastLines(text, tail)) : []
  return { stdout_summary: clipTogether([...first, '…', ...last], characters), stdout_lines: total }
}

/** The last lines, each cut to a width that no message needs. */
function tailOf(text: string, lines: number): string {
  return linesOf(lastLines(text.trimEnd(), lines))
    .map((line) => clipLine(line, tailWidth))
    .join('\n')
}

const tailWidth = 300

function lastLines(text: string, count: number): string {
  return withoutLastNewline(text.slice(text.length - lastLinesLength(text, count)))
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map(terminalText)
}

const exitCode = /(?:\bexit(?:ed)?[ _]?(?:with[ _])?(?:code|status)\s{0,9}[:=]?|<(?:returncode|exit_code)>)\s{0,9}(-?\d{1,9})/i

/** Agents put the code at the top or at the bottom. */
function exitCodeIn(text: string): DigestFields {
  const code = (exitCode.exec(text.slice(0, 400)) ?? exitCode.exec(text.slice(-400)))?.[1]
  return code === undefined ? {} : { exit_code: Number(code) }
}
