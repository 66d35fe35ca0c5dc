import { type Config, defaultConfig } from '../../config.ts'
import { perItem, perPair } from '../../derive.ts'
import { configOf, type DigestFields, type DigestSource, type Facts, type Tokenizer, type ToolKind } from '../../facts.ts'
import { callInput, isRecord, resultText, type ToolResultPart, withShownText } from '../../message.ts'
import { plainResult } from '../../results/plain-result.ts'
import { streamsOf } from '../../results/streams.ts'
import { type TodoEntry, todoEntries, todoEntry } from '../../results/todo-entries.ts'
import { aboutOf, type PlacedResult } from '../../results/tool-results.ts'
import { resultHandle } from '../../results/transcript.ts'
import { jsonText } from '../../text/json.ts'
import { oneLine } from '../../text/labels.ts'
import { countCodePoints, countLines, firstLines } from '../../text/lines.ts'
import { countPart, estimator } from '../../tokens/count-tokens.ts'
import { digestCommand, digestEdit, digestStreams, digestWrite } from './digest-command.ts'
import { clip, clipLine, digestGlob, digestList, shortFields, subject } from './digest-entries.ts'
import { digestRead, digestSearch, readResult } from './digest-read.ts'

/** A result as one line of JSON. Images stay, because a text handle cannot restore them. Null if the digest is not shorter. */
export function digestOf(result: PlacedResult, facts: Facts): ToolResultPart | null {
  return digestWith(result, configOf(facts).compression, facts.tokens ?? estimator)
}

export function digestWith(result: Answer, settings: Config['compression'], tokens: Tokenizer): ToolResultPart | null {
  const { part, whole, call, rules, tool, kind, isError } = result
  return settledDigest(part, whole, call, rules, tool, kind, isError, settings, tokens)
}

type Answer = Pick<PlacedResult, 'part' | 'whole' | 'call' | 'rules' | 'tool' | 'kind' | 'isError'>

const settledDigest = perPair(
  (
    part: ToolResultPart,
    whole: ToolResultPart,
    call: Answer['call'],
    rules: Answer['rules'],
    tool: string | null,
    kind: ToolKind,
    isError: boolean,
    settings: Config['compression'],
    tokens: Tokenizer,
  ) => settled({ part, whole, call, rules, tool, kind, isError }, cleanSettings(settings), tokens),
)

/** Repeats until nothing gets shorter, so that a view read back as a log does not change. */
function settled(result: Answer, settings: Config['compression'], tokens: Tokenizer): ToolResultPart | null {
  const { whole } = result
  const handle = resultHandle(whole)
  let shown: ToolResultPart | null = null
  let [from, limit] = [plainResult(whole), result.part]
  // A caller's own rule is applied once.
  const passes = result.rules?.digest === undefined ? maxPasses : 1
  for (let pass = 0; pass < passes; pass += 1) {
    const text = digestText({ ...result, part: from }, settings, handle)
    const next = text === null ? null : withShownText(from, text)
    if (next === null || !isShorter(next, limit, tokens, 0)) return shown
    if (pass === 0 && hasHandle(result) && !isShorter(next, limit, tokens, handleTokens)) return null
    shown = next
    ;[from, limit] = [next, next]
  }
  return shown
}

const maxPasses = 8

function digestText(result: Answer, settings: Config['compression'], handle: string): string | null {
  const { part, call, rules, tool, kind, isError } = result
  const { status, fields, text, error, lifted } = readResult(part, isError)
  const source: DigestSource = {
    text,
    fields,
    input: call === null ? null : callInput(call),
    about: aboutOf(result),
    isError,
    streams: kind === 'terminal' ? streamsOf(part) : null,
    settings,
  }
  // A result without a tool name is not classified by its text: its digest would look different.
  const data = rules?.digest === undefined ? digestByKind(tool === null ? 'other' : kind, source) : rules.digest(source)
  if (!isRecord(data)) return null
  const failure = error === undefined || error === null ? {} : { error }
  return jsonText({ status, data: { ...lifted, ...data, recall: handle }, ...failure }) || null
}

function isShorter(digest: ToolResultPart, whole: ToolResultPart, tokens: Tokenizer, minSaving: number): boolean {
  return resultText(digest).length < resultText(whole).length && countPart(digest, tokens) < countPart(whole, tokens) - minSaving
}

/** Handles differ by up to this many tokens; such a difference alone does not justify another digest. */
const handleTokens = 16

function hasHandle({ part, isError }: Answer): boolean {
  const handle = readResult(part, isError).fields?.['recall']
  return typeof handle === 'string' && /^[0-9a-f]{12}$/.test(handle)
}

const cleanSettings = perItem((given: Config['compression']): Config['compression'] => {
  const defaults = Object.entries(defaultConfig.compression)
  return Object.fromEntries(
    defaults.map(([key, value]) => {
      const set: unknown = given[key as keyof Config['compression']]
      return [key, typeof set === 'number' && set >= 0 ? Math.floor(set) : value]
    }),
  ) as unknown as Config['compression']
})()

function digestByKind(kind: ToolKind, source: DigestSource): DigestFields | null {
  const todo = kind === 'todo' ? digestTodo(source) : null
  if (todo !== null) return todo
  // A plain-text error is already short, except that a command's output surrounds it.
  if (source.isError && source.fields === null && kind !== 'terminal') return null
  // A result that was digested as plain text stays plain text.
  const rule = typeof source.fields?.['omitted_chars'] === 'number' ? otherRule : (kindRules[kind] ?? otherRule)
  const data = source.fields === null ? rule.text(source.text, source) : digestFields(kind, rule, source.fields, source)
  const { length } = jsonText(data)
  if (length > 0 && (length <= maxCharacters || kind === 'file-read')) return data
  // Values that cannot be serialized are digested as text.
  return source.fields === null || length === 0 ? digestOther(source.text, source) : digestOtherFields(source.fields, source)
}

const maxCharacters = 7000

interface KindRule {
  readonly text: (text: string, source: DigestSource) => DigestFields
  readonly subject?: string
  readonly items: keyof Config['compression']
}

const otherRule: KindRule = { text: digestOther, items: 'search_matches' }

const kindRules: Partial<Record<ToolKind, KindRule>> = {
  list: { text: digestList, subject: 'path', items: 'list_entries' },
  glob: { text: digestGlob, subject: 'pattern', items: 'glob_entries' },
  search: { text: digestSearch, subject: 'pattern', items: 'search_matches' },
  'file-read': { text: digestRead, subject: 'path', items: 'read_lines' },
  edit: { text: digestEdit, subject: 'path', items: 'edit_lines' },
  write: { text: digestWrite, subject: 'path', items: 'write_lines' },
  terminal: { text: digestCommand, subject: 'command', items: 'stdout_tail_lines' },
}

function digestFields(kind: ToolKind, rule: KindRule, fields: DigestFields, source: DigestSource): DigestFields {
  if (kind === 'terminal' && streams.some((key) => typeof fields[key] === 'string')) return digestStreams(fields, source)
  const key = bodies.find((name) => typeof fields[name] === 'string')
  const { [key ?? '']: body, ...rest } = fields
  if (rule.subject === undefined) {
    if (typeof body !== 'string' || jsonText(rest).length > source.settings.other_chars) return digestOtherFields(fields, source)
    return { ...rest, ...digestOther(body, source) }
  }
  const { read_lines: lines, [rule.items]: items } = source.settings
  const wholeLines = (text: string) => (countLines(text) <= lines ? text : firstLines(text, lines))
  const short = shortFields(rest, { items, ...(rule.text === digestRead && { text: wholeLines }) })
  const said = typeof fields[rule.subject] === 'string'
  if (typeof body !== 'string') return { ...(said ? {} : subject(rule.subject, source.about)), ...short }
  // A subject named in the response takes precedence over the one in the call.
  const named = short[rule.subject]
  return { ...short, ...rule.text(body, source), ...(typeof named === 'string' ? { [rule.subject]: named } : {}) }
}

const streams = ['stdout', 'output', 'stderr', 'stdout_summary', 'stderr_tail']
const bodies = ['content', 'fragment', 'diff', 'patch', 'diff_preview', 'output', 'result', 'text', 'preview']

function digestOther(text: string, { settings }: DigestSource): DigestFields {
  const content = clip(text, settings.other_chars)
  return content === text ? { content } : { content, omitted_chars: countCodePoints(text) - countCodePoints(content) + 1 }
}

function digestOtherFields(fields: DigestFields, source: DigestSource): DigestFields {
  const whole = jsonText(fields)
  if (whole.length <= source.settings.other_chars) return fields
  const short = shortFields(fields, { items: source.settings.search_matches })
  if (jsonText(short).length <= source.settings.other_chars) return short
  const flags = Object.entries(fields).filter(([, value]) => typeof value === 'boolean')
  return { ...digestOther(whole, source), ...Object.fromEntries(flags.slice(0, 10)) }
}

/** Counts tasks and lists the open ones. Null if no tasks are found. */
export function digestTodo({ text, fields, input, settings }: DigestSource): DigestFields | null {
  const recap = fields?.['recap']
  if (typeof recap === 'string') return { recap: clipLine(recap, settings.other_chars) }
  if (isRecord(recap)) return shortFields({ recap }, { items: settings.list_entries })
  const tasks = tasksIn(fields) ?? (fields === null ? tasksInText(text) : null) ?? tasksIn(input)
  if (tasks === null) return null
  const open = tasks.filter(({ state }) => state !== 'done')
  const running = open.filter(({ state }) => state === 'in progress')
  const shown = [...running, ...open.filter(({ state }) => state !== 'in progress')].slice(0, settings.list_entries)
  return {
    recap: {
      total: tasks.length,
      done: tasks.length - open.length,
      open: shown.map(({ status, what }) => `${oneLine(status, 20)}: ${oneLine(what, taskWidth)}`),
    },
  }
}

const taskWidth = 80

interface Task {
  readonly what: string
  readonly status: string
  readonly state: TodoEntry['state']
}

function tasksIn(fields: DigestFields | null): readonly Task[] | null {
  const entries = fields === null ? null : todoEntries(fields)
  if (entries === null) return null
  return entries.flatMap((entry) => {
    const { text, status, state } = todoEntry(entry)
    return text === null || state === 'dropped' ? [] : [{ what: text, status: status ?? 'pending', state }]
  })
}

function tasksInText(text: string): readonly Task[] | null {
  const tasks = [...text.matchAll(/^[ \t]{0,20}(?:[-*][ \t]|\d{1,4}\.[ \t])?\[([ xX✓~>-])\][ \t]{1,40}([^ \t\n][^\n]*)$/gm)].map(
    ([, box = ' ', what = '']): Task => {
      const status = /[xX✓]/.test(box) ? 'completed' : box === ' ' ? 'pending' : 'in_progress'
      return { what, status, state: todoEntry({ status }).state }
    },
  )
  return tasks.length === 0 ? null : tasks
}
