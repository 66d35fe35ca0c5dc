import {
  callInput,
  createConversation,
  type Facts,
  handleOf,
  type Message,
  type Policy,
  resultText,
  toolResults,
} from '@plimsoll/core'
import { compactionDue, hideOldSummaries } from '@plimsoll/core/compaction'
import {
  type Config,
  fitWindow,
  hideItemName,
  isCold,
  momentOf,
  type PlacedResult,
  type TimingName,
  type TodoEntry,
  todoEntries,
  todoEntry,
  todoId,
} from '@plimsoll/core/policies'
import type { SessionState } from '@plimsoll/core/session'
import { countMessages, estimator, labelText } from '@plimsoll/core/text'
import { trimsOf } from '../../files/trim-log.ts'
import { assembleLayers, placeRules } from '../../layers/assemble-layers.ts'
import { inPolicyOrder } from './record-request.ts'

export interface NextRequestInput {
  readonly state: SessionState
  readonly config: Config
  readonly policies: readonly Policy[]
  /** The time, the project's folder and other facts for the policies; those of the session are added. */
  readonly facts: Facts
  /** Default: the model of the last request. */
  readonly model?: string | null
  /** The agent’s own prompt. Default: only what the conversation starts with. */
  readonly system?: string
  /** The current project rules. Default: none. */
  readonly rules?: string | null
  /** The rules in the last request. Default: there was no request. */
  readonly shownRules?: string | null
  /** The handle of the tool definitions. Default: unknown. */
  readonly tools?: string
  /** Messages of folded rounds with todos that still count. Default: none. */
  readonly todos?: readonly Message[]
}

export type NextRequest = Readonly<ReturnType<typeof nextRequest>>

/** Builds the next request of a session: the view with the layers around it. Changes nothing. */
export function nextRequest(input: NextRequestInput) {
  const { state, config, system = '' } = input
  const policies = withSummaryLimit(input.policies, config)
  const given: Facts = { ...input.facts, config, pins: state.pins, hides: state.hides }
  const timing = agentTiming(config)
  const model = input.model ?? state.model
  const cold = isColdBefore(input, given, model)
  const placed = placeRules({ timing, shown: input.shownRules, current: input.rules ?? null, cold })
  const around = { system, ...placed, recap: todoRecap([...(input.todos ?? []), ...state.messages], given) }
  const facts: Facts = {
    ...given,
    ...prefixOf(input, model, placed.rules),
    overhead: countMessages(assembleLayers({ ...around, messages: [] }), given.tokens ?? estimator) + (given.overhead ?? 0),
  }
  const names = [...(state.hides.length === 0 ? [] : [hideItemName]), ...policies.map(({ name }) => name)]
  const { sent, ledger: before, measurements } = state
  const conversation = createConversation({
    policies,
    timing,
    strings: state.header.strings ?? 'specification',
    ...(model === null ? {} : { model }),
    state: { model: state.model, edits: inPolicyOrder(state.edits, names), sent, ledger: before, measurements },
  })
  const prepared = conversation.next(state.messages, facts)
  const { messages: view, report, edits, ledger } = prepared
  // If the request only fits because it was shrunk just now, a summary of older rounds loses less.
  const active = new Set(state.edits.map(({ id }) => id))
  const isLastResort = edits.some(({ policy, id }) => policy === fitWindow.name && !active.has(id))
  return {
    messages: assembleLayers({ ...around, messages: view }),
    layers: Object.fromEntries(Object.entries(around).filter((layer): layer is [string, string] => (layer[1] ?? '') !== '')),
    report,
    edits,
    ledger,
    policies: names,
    last: state.messages.at(-1)?.id ?? null,
    released: prepared.released,
    trims: () => trimsOf(prepared, state.messages, state.sent, true),
    compactionDue: compactionDue({ messages: state.messages, load: report.load.tokens, config }) || isLastResort,
  }
}

/** Identifies everything before the messages: their cache is valid as long as that stays the same. */
function prefixOf({ system = '', tools }: NextRequestInput, model: string | null, rules: string | null): Pick<Facts, 'prefix'> {
  return tools === undefined ? {} : { prefix: handleOf(JSON.stringify([model, system, rules ?? '', tools])) }
}

/** Whether the provider has nothing cached that changed rules would invalidate. */
function isColdBefore(input: NextRequestInput, given: Facts, model: string | null): boolean {
  const { state, shownRules = null } = input
  if (state.sent === null || (state.model !== null && model !== state.model)) return true
  const facts: Facts = { ...given, ...prefixOf(input, model, shownRules), sent: state.sent }
  const moment = momentOf(state.messages, facts, state.ledger)
  return isCold(moment, state.messages) || moment.terms.write <= moment.terms.read
}

/** If summaries are limited, the oldest are hidden before the request is measured for the last time. */
function withSummaryLimit(policies: readonly Policy[], { compaction }: Config): readonly Policy[] {
  if (compaction.max_summary_tokens === null) return policies
  const isLast = ({ name }: Policy) => name === fitWindow.name
  return [...policies.filter((policy) => !isLast(policy)), hideOldSummaries, ...policies.filter(isLast)]
}

/** When edits of cached content take effect in the agent. Default: when it is worth it. */
export function agentTiming({ timing }: Pick<Config, 'timing'>): TimingName {
  return timing ?? 'auto'
}

/** The state of the todos for the end of a request; null without a list. Lists in folded rounds still count. */
export function todoRecap(messages: readonly Message[], facts: Facts): string | null {
  const items = todoList(messages, facts)
  if (items === null || items.length === 0) return null
  const working = items.filter(({ state }) => state === 'in progress')
  const open = items.filter(({ state }) => state === 'open')
  const left = [...working, ...open]
  const lines = [
    `Todo: ${open.length} open, ${working.length} in progress, ${items.length - left.length} done`,
    ...left.slice(0, maxShown).map(({ text, state }) => `- [${state}] ${labelText(text, 120)}`),
  ]
  if (left.length > maxShown) lines.push(`(and ${left.length - maxShown} more)`)
  return lines.join('\n')
}

const maxShown = 20
const maxItems = 1000

interface TodoItem {
  /** The id for tools that change single items. */
  readonly id: string | null
  readonly text: string
  readonly state: 'open' | 'in progress' | 'done'
}

/** The latest complete list with the single changes after it; null without one. Failed and unanswered calls do not count. */
export function todoList(messages: readonly Message[], facts: Facts): readonly TodoItem[] | null {
  const changes: (readonly [change: Change, result: PlacedResult])[] = []
  for (const result of toolResults(messages, facts).toReversed()) {
    const change = result.kind === 'todo' && !result.isError ? readChange(result) : null
    if (change === null) continue
    changes.push([change, result])
    if (change.kind === 'list') break
  }
  if (changes.length === 0) return null
  const items = new Map<string, TodoItem>()
  for (const [change, result] of changes.reverse()) apply(items, change, result)
  return [...items.values()]
}

type Change =
  | { readonly kind: 'list' | 'merge'; readonly entries: readonly unknown[] }
  | { readonly kind: 'create'; readonly entry: TodoEntry }
  | { readonly kind: 'update'; readonly id: string; readonly entry: TodoEntry }

/** Distinguished by the arguments, since agents agree on little else. */
function readChange({ call }: PlacedResult): Change | null {
  const input = call === null ? null : callInput(call)
  if (input === null) return null
  const entries = todoEntries(input)
  if (entries !== null) return { kind: input['merge'] === true ? 'merge' : 'list', entries }
  const id = todoId(input['taskId'] ?? input['task_id'])
  const entry = todoEntry(input)
  if (id !== null) return { kind: 'update', id, entry }
  return entry.text === null ? null : { kind: 'create', entry }
}

function apply(items: Map<string, TodoItem>, change: Change, { part }: PlacedResult): void {
  switch (change.kind) {
    case 'list':
    case 'merge':
      if (change.kind === 'list') items.clear()
      for (const entry of change.entries.slice(0, maxItems)) put(items, todoEntry(entry))
      return
    case 'create': {
      // The tool returns the id only in its result; without one, tasks are counted.
      const id = /#(\d{1,9})/.exec(resultText(part).slice(0, 200))?.[1] ?? String(items.size + 1)
      return put(items, { ...change.entry, id })
    }
    case 'update':
      if (items.has(change.id)) put(items, { ...change.entry, id: change.id })
  }
}

function put(items: Map<string, TodoItem>, { id, text, state }: TodoEntry): void {
  let free = items.size
  while (items.has(`#${free}`)) free += 1
  const key = id ?? `#${free}`
  const known = items.get(key)
  const what = text ?? known?.text
  if (state === 'dropped') items.delete(key)
  else if (what !== undefined && (known !== undefined || items.size < maxItems))
    items.set(key, { id, text: what, state: state ?? known?.state ?? 'open' })
}
