import type { DigestFields, DigestSource } from '../../facts.ts'
import { countLines, firstLines, lastLinesLength, withoutLastNewline } from '../../text/lines.ts'
import { terminalText } from '../../text/terminal-text.ts'
import { clip, clipLine, clipLines, clipTogether, lineWidth, shortFields, subject } from './digest-entries.ts'

export function digestCommand(text: string, { about, isError, streams, settings }: DigestSource): DigestFields {
  const merged = withoutFrame(text)
  const complaints = streams?.stderr ?? (isError ? merged : '')
  return {
    ...subject('command', about),
    ...exitCodeIn(text),
    ...outputSummary(streams?.stdout ?? merged, settings, streams?.stdoutLines ?? undefined),
    ...(complaints === '' ? {} : complaintsIn(complaints, settings)),
  }
}

export function digestStreams(fields: DigestFields, { about, isError, settings }: DigestSource): DigestFields {
  const { stdout, output, stderr, stdout_summary: summary, stderr_tail: tail, ...rest } = fields
  const printed = typeof stdout === 'string' ? stdout : output
  const complaints = typeof stderr === 'string' ? stderr : tail
  return {
    ...(typeof fields['command'] === 'string' ? {} : subject('command', about)),
    ...shortFields(rest, { items: settings.stdout_tail_lines }),
    ...(typeof printed === 'string' ? outputSummary(printed, settings) : {}),
    ...(typeof summary === 'string' ? { stdout_summary: clip(summary, settings.stdout_chars) } : {}),
    ...(isError && stdout === undefined && typeof output === 'string' ? complaintsIn(output, settings) : {}),
    ...(typeof complaints === 'string' && complaints !== '' ? complaintsIn(complaints, settings) : {}),
  }
}

function outputSummary(printed: string, settings: DigestSource['settings'], lines?: number): DigestFields {
  const { stdout_head_lines: head, stdout_tail_lines: tail, stdout_chars: characters } = settings
  const text = printed.trimEnd()
  const total = lines ?? countLines(text)
  if (total <= head + tail) return { stdout_summary: clipTogether(linesOf(text), characters) }
  const first = head > 0 ? linesOf(firstLines(text, head)) : []
  const last = tail > 0 ? linesOf(lastLines(text, tail)) : []
  return { stdout_summary: clipTogether([...first, '…', ...last], characters), stdout_lines: total }
}

function complaintsIn(text: string, { stderr_lines: lines }: DigestSource['settings']): DigestFields {
  const tail = linesOf(lastLines(text.trimEnd(), lines)).map((line) => clipLine(line, tailWidth))
  return { stderr_tail: tail.join('\n') }
}

const tailWidth = 300

function lastLines(text: string, count: number): string {
  return withoutLastNewline(text.slice(text.length - lastLinesLength(text, count)))
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map(terminalText)
}

function withoutFrame(text: string): string {
  const head = frameAbove.exec(text.slice(0, maxFrame))?.[0].length ?? 0
  const end = text.trimEnd()
  const from = Math.max(end.length - lastLinesLength(end, maxBelow), end.length - maxFrame)
  const below = frameBelow.exec(end.slice(from))
  return end.slice(head, below === null ? end.length : Math.max(head, from + below.index))
}

const maxBelow = 8
/** More than all lines of a frame together can have. */
const maxFrame = 24_000
// Codex, Cline, mini-swe-agent, Gemini CLI.
const frameAbove =
  /^(?:(?:Chunk ID: \S{1,40}|Wall time: [^\n]{1,40}|Process exited with code -?\d{1,9}|Exit code:? -?\d{1,9}|(?:Original token count|Total output lines): \d{1,9}|Command executed\.|Command: [^\n]{0,2000}|Directory: [^\n]{0,500}|<returncode>-?\d{1,9}<\/returncode>|<output>|Output:)\r?\n|Output: ){1,9}/i
// Gemini CLI, OpenHands, mini-swe-agent, Plimsoll.
const frameBelow =
  /(?:^|\n)(?:(?:(?:Error|Signal|Background PIDs): \(none\)|Exit Code: -?\d{1,9}|Process Group PGID: [^\n]{1,40}|\[(?:The command completed with|Current working directory|Python interpreter|Command finished with|exit code -?\d|recall [0-9a-f]{12})[^\n]{0,500}\]|<\/output>)\s{0,4}){1,9}$/

const exitCode = /(?:\bexit(?:ed)?[ _]?(?:with[ _])?(?:code|status)\s{0,9}[:=]?|<(?:returncode|exit_code)>)\s{0,9}(-?\d{1,9})/i

const lastExitCode = /(?:^|\n)\[exit code (-?\d{1,9})(?:[;:][^\n]{0,500})?\](?:\n\[recall [0-9a-f]{12}\])?\s{0,4}$/

/** Agents put the exit code at the top or at the bottom; a last line with nothing else takes precedence. */
function exitCodeIn(text: string): DigestFields {
  const end = text.slice(-600)
  const code = (lastExitCode.exec(end) ?? exitCode.exec(text.slice(0, 400)) ?? exitCode.exec(end.slice(-400)))?.[1]
  return code === undefined ? {} : { exit_code: Number(code) }
}

/** The file, the changed lines and a fragment; for a long diff only counts and places. */
export function digestEdit(text: string, { about, settings }: DigestSource): DigestFields {
  const path = subject('path', about)
  const diff = readDiff(text, about.length === 1)
  if (diff === null || countLines(text) <= settings.edit_lines)
    return { ...path, ...changedLines(text), fragment: fragmentOf(text, settings.edit_lines) }
  const { summary, added, removed, ranges } = diff
  return {
    ...path,
    ...(summary === '' ? {} : { summary }),
    added,
    removed,
    changed: ranges.slice(0, settings.edit_lines),
    ...(ranges.length > settings.edit_lines ? { changed_total: ranges.length } : {}),
  }
}

export function digestWrite(text: string, { about, settings }: DigestSource): DigestFields {
  return { ...subject('path', about), ...actionOf(text, about), fragment: fragmentOf(text, settings.write_lines) }
}

const averageWidth = 80

function fragmentOf(text: string, lines: number): string {
  return clip(clipLines(text, lines, lineWidth).join('\n').trimEnd(), lines * averageWidth)
}

function actionOf(text: string, about: readonly string[]): DigestFields {
  const line = clipLines(text.trimStart(), 1, lineWidth * 2)[0] ?? ''
  const said = about.reduce((rest, path) => rest.replaceAll(path, ''), line)
  if (/overwr|updated|replaced|existing/i.test(said)) return { action: 'overwritten' }
  return /creat|new file|^--- \/dev\/null/i.test(said) ? { action: 'created' } : {}
}

function changedLines(text: string): DigestFields {
  const numbers = [...text.matchAll(/^\s{0,12}(\d{1,9})(?:→|\t)/gm)]
  const [first, last] = [numbers[0]?.[1], numbers.at(-1)?.[1]]
  return first === undefined || last === undefined ? {} : { changed: [`${first}-${last}`] }
}

function readDiff(text: string, isOneFile: boolean) {
  // The new line ranges of each hunk, with the file name unless the call is about one file.
  const ranges: string[] = []
  let [added, removed] = [0, 0]
  let file = ''
  for (const line of text.split('\n')) {
    const hunk = /^@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(line)
    if (hunk !== null) {
      const first = Number(hunk[1])
      ranges.push(`${file}${first}-${first + Math.max(1, Number(hunk[2] ?? 1)) - 1}`)
    } else if (line.startsWith('+++ ')) {
      const [, name = ''] = /^\+\+\+ (?:b\/)?([^\t]{1,400})/.exec(line) ?? []
      file = isOneFile || name === '' ? '' : `${clipLine(name.trim(), lineWidth)}:`
    } else if (ranges.length > 0 && line.startsWith('+')) added += 1
    else if (ranges.length > 0 && line.startsWith('-') && !line.startsWith('--- ')) removed += 1
  }
  if (ranges.length === 0) return null
  const head = clipLines(text, 1, lineWidth)[0] ?? ''
  return { summary: /^(?:[-+@]|diff |index )/.test(head) ? '' : clipLine(head, lineWidth), added, removed, ranges }
}
