import { handleOf, isError, type Message, type ToolResultPart } from '@plimsoll/core'
import { toolRules } from '@plimsoll/core/policies'
import { mentionsIn } from '../../shared/mentions.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { accountOf, type OfflineResult, type OfflineStep, reasonOf } from './offline-account.ts'
import { type OfflineCall, type OfflineCommand, offlineCommands } from './offline-commands.ts'

export interface OfflineAnswer {
  readonly reasoning: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[]
}

/**
 * The next step of the offline model in a conversation, worked out from the conversation alone: what the user asked for last, and
 * what was done about it since. So a session that is resumed or rewound goes on where it stands. Files that the user mentions are
 * read first, one by one; commands that only look may share a step; a command that fails ends the work.
 */
export function offlineTurn(messages: readonly Message[], offered: ReadonlySet<string>): OfflineAnswer {
  const asked = messages.findLastIndex((message) => spokenIn(message) !== null)
  const spoken = asked < 0 ? '' : (spokenIn(messages[asked] as Message) ?? '')
  const strings = stringsFor(/\p{Script=Han}/u.test(spoken) ? 'zh' : 'en').offlineModel
  const mentions = asked < 0 ? [] : mentionedIn(messages[asked] as Message, spoken)
  const commands = [...mentions.map(readFile), ...offlineCommands(spoken).filter((command) => !isAmong(command, mentions))]
  const done = callsSince(messages, asked)
  const steps = commands.map((command, index): OfflineStep => ({ command, results: done.results.get(index) ?? [] }))
  const next = nextCalls(steps, done.last, mentions.length, offered)
  if (next.calls.length === 0) return { reasoning: '', text: accountOf(steps, { ...next, offered, strings }), calls: [] }
  const mark = handleOf(JSON.stringify(historyOf(messages.slice(0, asked + 1))))
  const failed = done.last < 0 ? undefined : steps[done.last]
  const [first] = next.calls
  return {
    reasoning: done.last < 0 ? strings.plan(commands.flatMap((command) => (command.kind === 'call' ? [command.about] : []))) : '',
    text: failed !== undefined && first?.index !== done.last ? failureText(failed, strings.goingOn) : '',
    calls: next.calls.map(({ index, attempt, tool, input }) => ({ id: `offline_${index}_${attempt}_${mark}`, tool, input })),
  }
}

interface NextCall {
  readonly index: number
  readonly attempt: number
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What a person wrote in a message; null for everybody else's, and for one that only reminds. */
function spokenIn(message: Message): string | null {
  if (message.role !== 'user' || message.summary === true) return null
  const { spoken } = spokenParts(textOf(message))
  return spoken === '' ? null : spoken
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The files that the last reminder names, and those for which it had no room. */
function mentionedIn(message: Message, spoken: string): readonly string[] {
  const { reminder } = spokenParts(textOf(message))
  if (reminder === null) return []
  return [...new Set([...mentionsIn(reminder, { exists: () => true }), ...mentionsIn(spoken)])]
}

function readFile(path: string): OfflineCall {
  return { kind: 'call', tool: 'Read', input: { file_path: path }, about: `read ${path}`, changes: null }
}

function isAmong(command: OfflineCommand, mentions: readonly string[]): boolean {
  if (command.kind !== 'call' || command.tool !== 'Read' || 'offset' in command.input) return false
  return mentions.includes(String(command.input['file_path']))
}

/** The results of our own calls since the user spoke, by the place of their command, and the last such place; -1 for none. */
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

/** The calls of the next step, none where everything is done; and whether a failed command ended the work. */
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
    if (!isLook || calls.length === mostAtOnce) break
  }
  return { calls, isStopped: false }
}

const looking: ReadonlySet<string> = new Set(['Read', 'LS', 'Glob', 'Grep', 'repo_map', 'get_repo_structure', 'recall'])
const mostAtOnce = 5
/** A look, the change, and once more after a look that the tool asked for. */
const mostAttempts = 4

function callFor(
  { command, results }: OfflineStep,
  index: number,
  steps: readonly OfflineStep[],
  offered: ReadonlySet<string>,
): NextCall | null {
  if (command.kind !== 'call' || !offered.has(command.tool) || results.length >= mostAttempts) return null
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

/** Whether a file was read or changed a moment ago, and no command ran since that may have changed it. */
function isKnown(path: string, earlier: readonly OfflineStep[]): boolean {
  const since = earlier.slice(earlier.findLastIndex(({ command }) => command.kind === 'call' && command.tool === 'Bash') + 1)
  return since.some(({ command, results }) => {
    const isSame = command.kind === 'call' && (command.changes ?? command.input['file_path']) === path
    return isSame && results.at(-1)?.isError === false
  })
}

function failureText({ command, results }: OfflineStep, say: (command: string, reason: string) => string): string {
  const outcome = results.at(-1)
  return outcome?.isError === true && command.kind === 'call' ? `${say(command.about, reasonOf(outcome))}\n` : ''
}

/** What makes the ids of one round differ from those of all others in sight: what was said and called before. */
function historyOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return [textOf(message)]
    return message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
  })
}

/** What a person wrote, without the reminders that the program around it added, and the last of those. Takes linear time. */
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
