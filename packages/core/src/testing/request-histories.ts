import fc from 'fast-check'
import type { PartialConfig } from '../config.ts'
import type { Message, Part, ResultContent, ToolCallPart } from '../message.ts'

/** One request of a conversation, with everything that may change from one request to the next. */
export interface HistoryRequest {
  /** The action that led to it, for the message of a failed test. */
  readonly after: string
  readonly messages: readonly Message[]
  readonly now: number
  readonly pins: readonly string[]
  readonly config: PartialConfig
  readonly model: string
  /** Whether the provider accepts it. */
  readonly isAccepted: boolean
}

/**
 * Conversations of clients that change their history in any way between two requests: work, with results that are missing, late, early,
 * doubled, orphaned or out of order; answers to old calls; rewinds, forgotten beginnings, removed and changed messages, copies of old
 * ones, compactions; pins that come and go, changed settings, other models, clocks that jump, and requests that fail.
 *
 * `deeds` are the actions besides work; `damage` says whether results may be missing or misplaced.
 */
export function requestHistories({
  deeds = allDeeds,
  damage = true,
}: {
  readonly deeds?: readonly Deed[]
  readonly damage?: boolean
} = {}): fc.Arbitrary<readonly HistoryRequest[]> {
  return fc
    .record({
      actions: fc.array(actions(deeds), { minLength: 4, maxLength: 40, size: 'max' }),
      isDamaged: damage ? fc.boolean() : fc.constant(false),
      isList: fc.boolean(),
    })
    .map(({ actions: all, isDamaged, isList }) => play(isDamaged ? all : all.map(undamaged), isList))
}

/** An action besides work. */
export type Deed = (typeof allDeeds)[number]

/** All actions of a client between two requests besides work. */
export const allDeeds = [
  'say',
  'retry',
  'answer late',
  'answer in place',
  'rewind',
  'forget',
  'remove',
  'change',
  'copy',
  'compact',
  'pin',
  'unpin',
  'configure',
  'switch model',
] as const

interface Action {
  readonly deed: Deed | 'work'
  readonly steps: readonly Step[]
  readonly count: number
  readonly place: number
  readonly seconds: number
  readonly isAccepted: boolean
}

interface Step {
  readonly calls: readonly Call[]
  readonly hasReasoning: boolean
  readonly isReversed: boolean
}

type Fate = 'answered' | 'missing' | 'early' | 'doubled' | 'no id' | 'orphan' | 'pending' | 'late'

interface Call {
  readonly kind: 'read' | 'part' | 'cat' | 'write' | 'edit' | 'test' | 'search' | 'log' | 'image' | 'twice' | 'other'
  readonly file: number
  readonly version: number
  readonly numbers: 'arrow' | 'tab' | 'none'
  readonly isError: boolean
  readonly fate: Fate
}

function actions(deeds: readonly Deed[]): fc.Arbitrary<Action> {
  const deed = fc.oneof(
    { weight: 3, arbitrary: fc.constant('work' as const) },
    ...(deeds.length === 0 ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...deeds) }]),
  )
  return fc.record({
    deed,
    steps: fc.array(steps(), { minLength: 1, maxLength: 3 }),
    count: fc.integer({ min: 1, max: 6 }),
    place: fc.nat(1000),
    seconds: fc.oneof(
      { weight: 12, arbitrary: fc.integer({ min: 1, max: 90 }) },
      { weight: 3, arbitrary: fc.constantFrom(0, 400, 1000, 4000) },
      { weight: 1, arbitrary: fc.constantFrom(-30, -5000) },
    ),
    isAccepted: fc.integer({ min: 0, max: 7 }).map((number) => number > 0),
  })
}

function steps(): fc.Arbitrary<Step> {
  const fate = fc.oneof(
    { weight: 14, arbitrary: fc.constant<Fate>('answered') },
    { weight: 3, arbitrary: fc.constantFrom<Fate>('missing', 'early', 'doubled', 'no id', 'orphan', 'pending', 'late') },
  )
  const call = fc.record({
    kind: fc.constantFrom<Call['kind']>(
      'read',
      'part',
      'cat',
      'write',
      'edit',
      'test',
      'search',
      'log',
      'image',
      'twice',
      'other',
    ),
    file: fc.nat(2),
    version: fc.nat(2),
    numbers: fc.constantFrom<Call['numbers']>('arrow', 'tab', 'none'),
    isError: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
    fate,
  })
  return fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    hasReasoning: fc.boolean(),
    isReversed: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  })
}

/** With every call answered in order. */
function undamaged(action: Action): Action {
  const whole = action.steps.map((step) => ({
    ...step,
    isReversed: false,
    calls: step.calls.map((call): Call => ({ ...call, fate: 'answered' })),
  }))
  return { ...action, steps: whole }
}

/** Plays the actions and makes a request after each. */
function play(all: readonly Action[], isList: boolean): readonly HistoryRequest[] {
  let messages: readonly Message[] = [
    { id: 'system', role: 'system', parts: [{ type: 'text', text: 'You are careful.' }] },
    { id: 'start', role: 'user', parts: [{ type: 'text', text: 'Repair the settings.' }] },
  ]
  let now = Date.UTC(2026, 0, 5, 9)
  let pins: readonly string[] = []
  let config = 0
  let model = 0
  let made = 0
  const named = (role: Message['role'], ...parts: readonly Part[]): Message => ({ id: `m${(made += 1)}`, role, parts, at: now })
  return all.map(({ deed, steps: work, count, place, seconds, isAccepted }) => {
    now += seconds * 1000
    const at = messages.length < 3 ? 1 : 1 + (place % (messages.length - 1))
    switch (deed) {
      case 'work':
        for (const step of work) messages = [...messages, ...stepMessages(step, named, made, isList)]
        break
      case 'say':
        messages = [
          ...messages,
          named('assistant', { type: 'text', text: 'That is done.' }),
          named('user', { type: 'text', text: `Continue with part ${count}.` }),
        ]
        break
      case 'retry':
        break
      case 'answer late':
      case 'answer in place': {
        const open = openCalls(messages)
        const chosen = open[place % Math.max(1, open.length)]
        if (chosen === undefined) break
        const answer = named('tool', answerTo(chosen.call, textOf(callOf(count)), isList, false))
        messages = deed === 'answer late' ? [...messages, answer] : messages.toSpliced(chosen.index + 1, 0, answer)
        break
      }
      case 'rewind':
        messages = messages.length - count < 2 ? messages : messages.slice(0, -count)
        break
      case 'forget':
        messages = messages.length - count < 3 ? messages : [...messages.slice(0, 2), ...messages.slice(2 + count)]
        break
      case 'remove':
        messages = at < 2 ? messages : messages.toSpliced(at, 1)
        break
      case 'change': {
        // Another message, so another id.
        const old = messages[at] as Message
        messages = messages.with(at, { ...old, id: `m${(made += 1)}`, parts: old.parts.map((part) => changed(part, count)) })
        break
      }
      case 'copy':
        messages = [...messages, { ...(messages[at] as Message), id: `m${(made += 1)}` }]
        break
      case 'compact': {
        const summary: Message = { ...named('user', { type: 'text', text: `Summary ${made}: all is well.` }), summary: true }
        messages = [...messages.slice(0, 1), summary, ...messages.slice(Math.max(2, messages.length - count))]
        break
      }
      case 'pin':
        pins = [...new Set([...pins, (messages[at] as Message).id])]
        break
      case 'unpin':
        pins = pins.slice(1)
        break
      case 'configure':
        config = (config + count) % configs.length
        break
      case 'switch model':
        model += count % 2
        break
    }
    return {
      after: deed,
      messages,
      now,
      pins,
      config: configs[config] as PartialConfig,
      model: ['claude-opus-4-5', 'gpt-5.4'][model % 2] as string,
      isAccepted,
    }
  })
}

const endless: PartialConfig = { context_window: 100_000_000, request_limits: { max_bytes: null, max_images: null } }
const configs: readonly PartialConfig[] = [
  endless,
  { ...endless, outdated_commands: { after_minutes: 1 } },
  { context_window: 6000 },
  { ...endless, repeated_reads: { keep_latest: 3 }, placeholder_style: 'actionable' },
]

function stepMessages(
  { calls, hasReasoning, isReversed }: Step,
  named: (role: Message['role'], ...parts: readonly Part[]) => Message,
  number: number,
  isList: boolean,
): readonly Message[] {
  const made = calls.map((call, index) => ({
    call,
    part: { type: 'tool-call', callId: `call_${number}_${index}`, ...describe(call) } satisfies ToolCallPart as ToolCallPart,
  }))
  const answers = (wanted: readonly Fate[]) =>
    made.flatMap(({ call, part }) => {
      if (!wanted.includes(call.fate)) return []
      const answer = answerTo(part, textOf(call), isList, call.isError)
      if (call.fate === 'no id') return [named('tool', { ...answer, callId: null } as Part)]
      return call.fate === 'doubled' ? [named('tool', answer), named('tool', answer)] : [named('tool', answer)]
    })
  const early = answers(['early'])
  const asked = named(
    'assistant',
    ...(hasReasoning ? [{ type: 'reasoning', text: 'I have to look at the settings again.' } as const] : []),
    ...made.flatMap(({ call, part }): readonly Part[] =>
      call.fate === 'orphan' ? [] : [call.fate === 'pending' ? { ...part, pending: true } : part],
    ),
    ...(made.every(({ call }) => call.fate === 'orphan') ? [{ type: 'text', text: 'Nothing to do.' } as const] : []),
  )
  const inOrder = answers(['answered', 'doubled', 'no id', 'orphan'])
  const late = answers(['late'])
  const between = late.length === 0 ? [] : [named('assistant', { type: 'text', text: 'Waiting.' })]
  return [...early, asked, ...(isReversed ? inOrder.toReversed() : inOrder), ...between, ...late]
}

function callOf(count: number): Call {
  return { kind: 'read', file: count % 3, version: 0, numbers: 'none', isError: false, fate: 'answered' }
}

function answerTo({ callId, tool }: ToolCallPart, text: string, isList: boolean, isError: boolean): Part {
  const content: ResultContent = isList ? { type: 'list', items: [{ type: 'text', text }] } : { type: 'text', text }
  return { type: 'tool-result', callId, tool, content, ...(isError ? { isError } : {}) }
}

/** The calls that no message answers. */
function openCalls(messages: readonly Message[]): readonly { readonly call: ToolCallPart; readonly index: number }[] {
  const answered = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))),
  )
  return messages.flatMap(({ parts }, index) =>
    parts.flatMap((call) => (call.type === 'tool-call' && !answered.has(call.callId) ? [{ call, index }] : [])),
  )
}

function changed(part: Part, count: number): Part {
  if (part.type === 'text') return { ...part, text: `${part.text} (changed ${count})` }
  if (part.type !== 'tool-result') return part
  const more = { type: 'text', text: `changed ${count}` } as const
  if (part.content.type === 'list') return { ...part, content: { type: 'list', items: [...part.content.items, more] } }
  if (part.content.type !== 'text') return part
  return { ...part, content: { type: 'text', text: `${part.content.text}\n${more.text}` } }
}

function describe({ kind, file, version, numbers }: Call): { readonly tool: string; readonly input: object } {
  const path = `src/file${file}.ts`
  switch (kind) {
    case 'read':
      return { tool: 'Read', input: { file_path: path } }
    case 'part':
      return { tool: 'Read', input: { file_path: path, offset: 11, limit: 20 } }
    case 'cat':
      return { tool: 'Bash', input: { command: `cat ${path}` } }
    case 'write':
      return { tool: 'Write', input: { file_path: path, content: fileLines(file, version).join('\n') } }
    case 'edit':
      return {
        tool: 'Edit',
        input: {
          file_path: path,
          old_string: fileLines(file, version).slice(3, 20).join('\n'),
          new_string: fileLines(file, version + 1)
            .slice(3, 20)
            .join('\n'),
        },
      }
    case 'test':
      return { tool: 'Bash', input: { command: `npm test file${file}` } }
    case 'search':
      return { tool: 'Grep', input: { pattern: `setting${version}` } }
    case 'log':
      return { tool: 'Bash', input: { command: `make ${file}` } }
    case 'image':
      return { tool: 'screenshot', input: { page: path } }
    case 'twice':
      return { tool: 'Bash', input: { command: `cat ${path} ${path}` } }
    case 'other':
      return { tool: 'mcp__tracker__list', input: { page: version, numbers } }
  }
}

function textOf(call: Call): string {
  const { kind, file, version, numbers, isError } = call
  const lines = fileLines(file, version)
  const failed = isError ? 'Error: it failed\n' : ''
  switch (kind) {
    case 'read':
      return failed + numberedLines(lines, 0, numbers).join('\n')
    case 'part':
      return failed + numberedLines(lines.slice(10, 30), 10, numbers).join('\n')
    case 'cat':
      return failed + lines.join('\n')
    case 'twice':
      return failed + [...lines, ...lines].join('\n')
    case 'write':
    case 'edit':
      return `${failed}The file was changed.`
    case 'test':
      return (
        failed +
        [
          ...Array.from({ length: 25 }, (_, at) => `ok ${at} - file ${file} has setting ${at} in the right place`),
          `\u001b[2mtook ${version} ms\u001b[22m`,
        ].join('\n')
      )
    case 'search':
      return failed + lines.map((line, at) => `src/file${file}.ts:${at + 1}:${line}`).join('\n')
    case 'log':
      return failed + Array.from({ length: 260 }, (_, at) => `step ${file}.${at} of the build went well`).join('\n')
    case 'image':
      return JSON.stringify({ page: file, image: 'iVBORw0KGgoAAAANSUhEUgAA09'.repeat(450) })
    case 'other':
      return failed + 'the same line over and over again\n'.repeat(20 + version)
  }
}

function fileLines(file: number, version: number): readonly string[] {
  return Array.from({ length: 45 }, (_, at) =>
    at % 9 === 8 ? '' : `export const file${file}setting${at} = readSetting(${at % 7 === 0 ? version : 0}, 'number ${at}')`,
  )
}

function numberedLines(lines: readonly string[], from: number, numbers: Call['numbers']): readonly string[] {
  if (numbers === 'none') return lines
  return lines.map((line, at) => `${String(from + at + 1).padStart(6)}${numbers === 'arrow' ? '→' : '\t'}${line}`)
}
