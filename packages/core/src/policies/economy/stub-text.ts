import { failureLines } from '../../compaction/unresolved-errors.ts'
import { callInput, resultText } from '../../message.ts'
import { plainResult } from '../../results/plain-result.ts'
import { aboutOf, exitCodeIn, type PlacedResult } from '../../results/tool-results.ts'
import { resultHandle } from '../../results/transcript.ts'
import { labelText } from '../../text/labels.ts'
import { countLines, grouped } from '../../text/lines.ts'
import { pathOf, pathsInText } from './cut-output.ts'
import type { EconomyRules, ResultClass } from './economy-rules.ts'

export interface StubSource {
  readonly class: ResultClass
  readonly tool: string
  /** What the call was about: paths, commands, patterns, addresses. */
  readonly about: readonly string[]
  /** The file or folder that was searched; null if the call names none. */
  readonly place: string | null
  readonly handle: string
  readonly text: string
  /** Null if only an extract is known. */
  readonly lines: number | null
  readonly exitCode: number | null
  readonly isError: boolean
}

export function stubSourceOf(result: PlacedResult, kind: ResultClass): StubSource {
  const { whole, tool, call, rules, isError } = result
  const text = resultText(plainResult(whole))
  const input = call === null ? null : callInput(call)
  const about = aboutOf(result)
  const path = input?.['path']
  return {
    class: kind,
    tool: tool ?? 'tool',
    about: about.length > 0 || input === null ? about : subjectIn(input),
    place: result.kind === 'search' && typeof path === 'string' && path !== '' ? path : null,
    handle: resultHandle(whole),
    text,
    lines: whole.blob === undefined ? countLines(text) : null,
    exitCode: result.kind === 'terminal' ? exitCodeIn(whole, rules) : null,
    isError,
  }
}

/** What a call of a tool that is not in the table was about. */
function subjectIn(input: Readonly<Record<string, unknown>>): readonly string[] {
  const texts = subjectKeys.map((key) => input[key]).filter((value) => typeof value === 'string' && value.trim() !== '')
  return (texts as readonly string[]).slice(0, 1)
}

const subjectKeys = ['url', 'uri', 'query', 'q', 'pattern', 'path', 'file_path', 'command', 'prompt', 'question', 'name', 'id']

/** That something was removed, what it was about, how it ended, and how to get it back. */
export function placeholderText(
  { tool, about, place, handle, lines, exitCode, isError }: StubSource,
  rules: EconomyRules,
): string {
  const searched = place === null || about.length === 0 ? about : [`${about.join(', ')} in ${place}`]
  const subject = labelText(searched.slice(0, 20).join(', '), rules.stubAbout)
  const removed = lines === null ? 'removed' : `${grouped(lines)} ${lines === 1 ? 'line' : 'lines'} removed`
  const outcome = exitCode !== null ? `, exit code ${exitCode}` : isError ? ', failed' : ''
  return `[${labelText(tool, 60)}${subject === '' ? '' : `: ${subject}`}; ${removed}${outcome}; recall ${handle}]`
}

/**
 * The rest of an old result: what it was and its handle; the first line of a search or a failure; error lines; the last line; and the paths it names.
 * Depends only on the result.
 */
export function stubText(source: StubSource, rules: EconomyRules): string {
  const { class: kind } = source
  const text = withoutReminders(source.text)
  const lines = new Set<string>()
  const add = (line: string, from: number) => {
    const shown = labelText(withFile(line, text, from, source), rules.stubWidth)
    if (shown !== '') lines.add(shown)
  }
  if (kind === 'search' || source.isError) add(/\S[^\n]*/.exec(text.slice(0, maxLookLength))?.[0] ?? '', 0)
  if (kind !== 'read' || source.isError) for (const line of failureLines(text, text.length, rules.stubErrorLines)) add(line, 0)
  if (kind !== 'read') add(lastLine(text), Math.max(0, text.length - maxLookLength))
  const head = placeholderText(source, rules)
  const shown = [head, ...lines].join('\n')
  const paths = pathsInText(text, rules.stubPaths * 2).filter((path) => !shown.includes(path))
  return paths.length === 0 ? shown : `${shown}\npaths: ${paths.slice(0, rules.stubPaths).join(' ')}`
}

/** What a host adds to a text for its model is not what the tool answered, or the user wrote. */
export function withoutReminders(text: string): string {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf(reminder); at !== -1; at = text.indexOf(reminder, from)) {
    pieces.push(text.slice(from, at))
    const end = text.indexOf(reminderEnd, at)
    from = end === -1 ? text.length : end + reminderEnd.length
  }
  return pieces.join('') + text.slice(from)
}

const [reminder, reminderEnd] = ['<system-reminder>', '</system-reminder>']

/** A line that a search quotes by its number, with its file: that of the heading above it, or the one that was searched. */
function withFile(line: string, text: string, from: number, { class: kind, place }: StubSource): string {
  if (kind !== 'search' || !/^\s{0,8}\d{1,7}[:-]/.test(line)) return line
  const at = text.indexOf(line, from)
  const block = text.slice(text.lastIndexOf('\n\n', at) + 1, Math.max(0, at)).trimStart()
  const heading = block.slice(0, block.indexOf('\n'))
  const file = heading !== '' && pathOf(heading) === heading ? heading : place
  return file === null ? line : `${file}:${line.trimStart()}`
}

/** Whether a text is already a stub, in a view that is read as a log. A longer text only starts like one. */
export function isStub(text: string): boolean {
  return text.length <= maxStubLength && stubHead.test(text)
}

const maxStubLength = 8000
// A result that omits repeated lines may start with a similar line.
const stubHead = /^\[(?!\d{1,9} lines(?: as shown above(?: over and over)?)?: )[^\n]{1,500}; recall [0-9a-f]{12}\](?:\n|$)/

function lastLine(text: string): string {
  const near = text.slice(-maxLookLength).trimEnd()
  return near.slice(near.lastIndexOf('\n') + 1)
}

const maxLookLength = 4000
