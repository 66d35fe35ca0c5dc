import { handleOf, isError, type Message, resultText, type ToolResultPart } from '@plimsoll/core'
import { toolRules } from '@plimsoll/core/policies'
import { mentionsIn } from '../../shared/mentions.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import { type OfflineCall, type OfflineCommand, offlineCommands } from './offline-commands.ts'

export interface OfflineAnswer {
  readonly reasoning: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[]
}

/**
 * The next step of the offline model, derived from the conversation alone: the last request of the user, and what was done since.
 * So a resumed or rewound session continues. Files that the user mentions are read first, one by one; commands that only look may
 * share a step; a failed command ends the work.
 */
export function offlineTurn(messages: readonly Message[], offered: ReadonlySet<string>): OfflineAnswer {
  const asked = messages.findLastIndex((message) => spokenIn(message) !== null)
  const spoken = asked < 0 ? '' : (spokenIn(messages[asked] as Message) ?? '')
  const strings = stringsFor(/\p{Script=Han}/u.test(spoken) ? 'zh' : 'en').offlineModel
  const reminder = asked < 0 ? null : spokenParts(textOf(messages[asked] as Message)).reminder
  // The files that the last reminder names, and those it had no room for.
  const named = reminder === null ? [] : [...mentionsIn(reminder, { exists: () => true }), ...mentionsIn(spoken)]
  const mentions = [...new Set(named)]
  const reads = mentions.map((path): OfflineCall => {
    return { kind: 'call', tool: 'Read', input: { file_path: path }, about: `read ${path}`, changes: null }
  })
  const others = offlineCommands(spoken).filter((command) => {
    const isRead = command.kind === 'call' && command.tool === 'Read' && !('offset' in command.input)
    return !isRead || !mentions.includes(String(command.input['file_path']))
  })
  const commands = [...reads, ...others]
  const done = callsSince(messages, asked)
  const steps = commands.map((command, index): OfflineStep => ({ command, results: done.results.get(index) ?? [] }))
  const next = nextCalls(steps, done.last, mentions.length, offered)
  if (next.calls.length === 0) return { reasoning: '', text: accountOf(steps, { ...next, offered, strings }), calls: [] }
  const mark = handleOf(JSON.stringify(historyOf(messages.slice(0, asked + 1))))
  const failed = done.last < 0 ? undefined : steps[done.last]
  const outcome = failed?.results.at(-1)
  const isFailed = next.calls[0]?.index !== done.last && failed?.command.kind === 'call' && outcome?.isError === true
  return {
    reasoning: done.last < 0 ? strings.plan(commands.flatMap((command) => (command.kind === 'call' ? [command.about] : []))) : '',
    text: isFailed ? `${strings.goingOn(failed.command.about, reasonOf(outcome))}\n` : '',
    calls: next.calls.map(({ index, attempt, tool, input }) => ({ id: `offline_${index}_${attempt}_${mark}`, tool, input })),
  }
}

interface NextCall {
  readonly index: number
  readonly attempt: number
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The text of a user message; null for other messages and for reminders. */
function spokenIn(message: Message): string | null {
  if (message.role !== 'user' || message.summary === true) return null
  const { spoken } = spokenParts(textOf(message))
  return spoken === '' ? null : spoken
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Results of our calls since the last user message, by the position of their command; `last` is -1 if there are none. */
function callsSince(messages: readonly Message[], asked: number) {
  const results = new Map<number, OfflineResult[]>()
  const parts = new Map<string, ToolResultPart>()
  const calls: { readonly index: number; readonly id: string; readonly tool: string }[] = []
  for (const message of messages.slice(asked + 1)) {
    for (const part of message.parts) {
      if (part.type === 'tool-result' && part.callId !== null) parts.set(part.callId, part)
      const place = part.type === 'tool-call' ? /^offline_(\d{1,6})_\d{1,2}_/.exec(part.callId)?.[1] : undefined
      if (part.type === 'tool-call' && place !== undefined) calls.push({ index: Number(place), id: part.callId, tool: part.tool })
    }
  }
  for (const { index, id, tool } of calls) {
    const part = parts.get(id) ?? null
    const rules = toolRules(tool)
    const failed = part === null || isError(part, { kind: rules?.kind ?? 'other', rules, stderrIsError: false })
    const list = results.get(index) ?? []
    list.push({ tool, part, isError: failed })
    results.set(index, list)
  }
  return { results, last: Math.max(-1, ...results.keys()) }
}

/** The calls of the next step, none if everything is done; and whether a failed command ended the work. */
function nextCalls(steps: readonly OfflineStep[], last: number, mentions: number, offered: ReadonlySet<string>) {
  const current = steps[last]
  if (current !== undefined) {
    const again = callFor(current, last, steps, offered)
    if (again !== null) return { calls: [again], isStopped: false }
    const outcome = current.results.at(-1)
    if (outcome?.tool === 'Bash' && outcome.isError) return { calls: [], isStopped: true }
  }
  const calls: NextCall[] = []
  for (let index = last + 1; index < steps.length; index += 1) {
    const step = steps[index] as OfflineStep
    const next = callFor(step, index, steps, offered)
    if (next === null) continue
    const isLook = index >= mentions && looking.has(next.tool) && step.command.kind === 'call' && step.command.changes === null
    if (calls.length > 0 && !isLook) break
    calls.push(next)
    if (!isLook || calls.length === maxAtOnce) break
  }
  return { calls, isStopped: false }
}

const looking: ReadonlySet<string> = new Set(['Read', 'LS', 'Glob', 'Grep', 'repo_map', 'get_repo_structure', 'recall'])
const maxAtOnce = 5
/** A look, the change, and again after a look that the tool demanded. */
const maxAttempts = 4

function callFor({ command, results }: OfflineStep, index: number, steps: readonly OfflineStep[], offered: ReadonlySet<string>) {
  if (command.kind !== 'call' || !offered.has(command.tool) || results.length >= maxAttempts) return null
  const own: NextCall = { index, attempt: results.length, tool: command.tool, input: command.input }
  const before = results.at(-1)
  if (command.changes === null) return before === undefined ? own : null
  const look: NextCall = { ...own, tool: 'Read', input: { file_path: command.changes } }
  if (before === undefined)
    return command.tool === 'Write' || !offered.has('Read') || isKnown(command.changes, steps.slice(0, index)) ? own : look
  if (before.tool === 'Read') return before.isError ? null : own
  const isUnseen = before.isError && /\bread\b/i.test(reasonOf(before)) && !results.some(({ tool }) => tool === 'Read')
  return isUnseen && offered.has('Read') ? look : null
}

/** Whether a file was read or changed, and no command ran since that may have changed it. */
function isKnown(path: string, earlier: readonly OfflineStep[]): boolean {
  const since = earlier.slice(earlier.findLastIndex(({ command }) => command.kind === 'call' && command.tool === 'Bash') + 1)
  return since.some(({ command, results }) => {
    const isSame = command.kind === 'call' && (command.changes ?? command.input['file_path']) === path
    return isSame && results.at(-1)?.isError === false
  })
}

/** Makes the ids of one round differ from those of all others. */
function historyOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return [textOf(message)]
    return message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
  })
}

/** Separates the user’s text from reminders, and returns the last of those. Takes linear time. */
function spokenParts(text: string): { readonly spoken: string; readonly reminder: string | null } {
  const spoken: string[] = []
  let reminder: string | null = null
  let from = 0
  for (;;) {
    const start = text.indexOf(opening, from)
    const end = start < 0 ? -1 : text.indexOf(closing, start)
    if (end < 0) break
    spoken.push(text.slice(from, start))
    reminder = text.slice(start + opening.length, end)
    from = end + closing.length
  }
  spoken.push(text.slice(from))
  return { spoken: spoken.join('').trim(), reminder }
}

const opening = '<system-reminder>'
const closing = '</system-reminder>'

/** A command with the results of its calls so far, in order. */
interface OfflineStep {
  readonly command: OfflineCommand
  readonly results: readonly OfflineResult[]
}

interface OfflineResult {
  readonly tool: string
  readonly part: ToolResultPart | null
  readonly isError: boolean
}

interface AccountOptions {
  readonly isStopped: boolean
  readonly offered: ReadonlySet<string>
  readonly strings: Strings['offlineModel']
}

/** The final text of the offline model: each command with its outcome, or the commands it understands. */
function accountOf(steps: readonly OfflineStep[], options: AccountOptions): string {
  const { isStopped, strings } = options
  const reached = steps.findLastIndex(({ results }) => results.length > 0)
  const lines: string[] = []
  const left: string[] = []
  for (const [index, step] of steps.entries()) {
    const { command } = step
    if (command.kind !== 'call') continue
    if (isStopped && index > reached) left.push(command.about)
    else lines.push(`- ${command.about}: ${outcomeText(step.results.at(-1), command.tool, index < reached, options)}`)
  }
  const unknown = steps.flatMap(({ command }) =>
    command.kind === 'unknown' ? [clipped(command.text.split('\n', 1)[0] ?? '', maxLineLength)] : [],
  )
  const wantsHelp = lines.length === 0 || steps.some(({ command }) => command.kind === 'help')
  return [
    ...(lines.length === 0 ? [] : [[strings.account, ...lines].join('\n')]),
    ...(left.length === 0 ? [] : [strings.stopped(left)]),
    ...(unknown.length === 0 || lines.length === 0 ? [] : [strings.notUnderstood(unknown.slice(0, maxUnknown))]),
    ...(wantsHelp ? [strings.help] : []),
  ].join('\n\n')
}

const maxUnknown = 5
const maxLineLength = 200
/** Shown lines of a result. Default: 1. */
const shownLines: Readonly<Record<string, number>> = { LS: 8, Glob: 8, Grep: 8, recall: 8, repo_map: 8, get_repo_structure: 8 }

function outcomeText(outcome: OfflineResult | undefined, tool: string, isPast: boolean, options: AccountOptions): string {
  const { offered, strings } = options
  if (outcome === undefined) return isPast && offered.has(tool) ? strings.outOfSight : strings.notOffered(tool)
  if (outcome.part === null) return strings.outOfSight
  if (tool === 'Bash') return commandText(outcome, strings)
  if (outcome.isError) return strings.failed(reasonOf(outcome))
  const lines = linesOf(outcome)
  const max = shownLines[tool] ?? 1
  if (lines.length === 0) return strings.succeeded
  const shown = lines.slice(0, max)
  if (max > 1 && lines.length > max) shown.push(strings.moreLines(lines.length - max))
  return shown.join('\n  ')
}

const exitCode = /exit(?:ed)?[ _](?:with[ _])?(?:code|status)\s{0,3}[:=]?\s{0,3}(-?\d{1,10})/gi

function commandText(outcome: OfflineResult, strings: Strings['offlineModel']): string {
  const lines = linesOf(outcome)
  const code = [...lines.slice(-3).join('\n').matchAll(exitCode)].at(-1)?.[1]
  if (code === undefined) return outcome.isError ? strings.failed(reasonOf(outcome)) : (lines.at(-1) ?? strings.succeeded)
  const output = lines.filter((line) => line.search(exitCode) < 0).slice(-5)
  return [strings.exitCode(code), ...output].join('\n  ')
}

function linesOf({ part }: OfflineResult): readonly string[] {
  if (part === null) return []
  const { content } = part
  const told = content.type === 'json' ? (content.value as { readonly output?: unknown } | null)?.output : undefined
  const text = typeof told === 'string' ? told : resultText(part)
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [clipped(line.trimEnd(), maxLineLength)]))
}

function reasonOf({ part }: OfflineResult): string {
  const text = part === null ? '' : resultText(part).trim()
  const [line = ''] = text.replace(/^Error:\s{0,20}/, '').split('\n')
  return clipped(line, 300)
}

function clipped(line: string, max: number): string {
  return line.length > max ? `${line.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
