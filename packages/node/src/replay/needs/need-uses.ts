import { callInput, type Message, resultText, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { type ToolKind, toolRules } from '@plimsoll/core/policies'
import { getOrMake } from '../../shared/get-or-make.ts'
import type { RecordedSession, RecordedStep } from '../record-session.ts'
import { callKind, callTexts } from './call-texts.ts'
import { isDoubtfulName } from './doubtful-names.ts'
import type { NeedClass } from './need.ts'
import { idsIn, pathsIn, pathsInText, symbolsIn } from './need-symbols.ts'

export interface Use {
  readonly class: NeedClass
  readonly text: string
  readonly edit: string | null
  readonly isDoubtful?: true
}

/** The strings that the actions of a session hold, for each step in order. Worked out once for each session. */
export function usesOf(session: RecordedSession): readonly (readonly Use[])[] {
  return getOrMake(remembered, session, () => {
    const uses = session.steps.map((step, index) => {
      const answer = answerOf(session, step, session.steps[index + 1])
      const own = answer.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool-call' ? usesOfCall(part) : []))
      return once(index === session.steps.length - 1 ? [...own, ...usesOfText(answer)] : own)
    })
    return uses.map((own, index) => once([...own, ...errorsActedOn(session, index, uses)]))
  })
}

const remembered = new WeakMap<RecordedSession, readonly (readonly Use[])[]>()

/** All strings of a session, to find out which of them many sessions have. */
export function stringsOf(session: RecordedSession): ReadonlySet<string> {
  return new Set(usesOf(session).flatMap((uses) => uses.map(({ text }) => text)))
}

/** The messages of an answer: some logs write reasoning, text and calls in separate messages. */
function answerOf({ segments }: RecordedSession, step: RecordedStep, next: RecordedStep | undefined): readonly Message[] {
  const messages = segments[step.segment] ?? []
  const max = next?.segment === step.segment ? next.length : messages.length
  let end = step.length
  while (end < max && messages[end]?.role === 'assistant') end += 1
  return end === step.length ? [step.answer] : messages.slice(step.length, end)
}

function usesOfCall(call: ToolCallPart): readonly Use[] {
  return getOrMake(ofCalls, call, () => {
    const texts = callTexts(call)
    // What a call replaces was there before it.
    const made = texts.flatMap(({ key, text }) => (oldText.test(key) ? [] : [text]))
    return [
      ...anchorsIn(call).map((text) => ({ class: 'edit-anchor', text, edit: call.callId }) as const),
      ...pathsIn(call).map((text) => ({ class: 'path', text, edit: null }) as const),
      ...texts.flatMap(({ text }) => symbolsIn(text).map((symbol) => symbolUse(symbol, made))),
      ...texts.flatMap(({ text }) => idsIn(text).map((id) => ({ class: 'opaque-id', text: id, edit: null }) as const)),
    ]
  })
}

function symbolUse(text: string, made: readonly string[]): Use {
  return { class: 'symbol', text, edit: null, ...(isDoubtfulName(text, made) ? { isDoubtful: true } : {}) }
}

const ofCalls = new WeakMap<ToolCallPart, readonly Use[]>()

function usesOfText(answer: readonly Message[]): readonly Use[] {
  const said = answer.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return said.flatMap((text) => factsIn(text).map((fact) => ({ class: 'answer-fact', text: fact, edit: null }) as const))
}

/** The error lines before one of the ten last actions that this action responds to: it names what they name. */
function errorsActedOn(session: RecordedSession, index: number, uses: readonly (readonly Use[])[]): readonly Use[] {
  const step = session.steps[index] as RecordedStep
  const messages = session.segments[step.segment] ?? []
  const named = new Set((uses[index] ?? []).flatMap((use) => (use.class === 'symbol' ? [use.text] : [])))
  if (named.size === 0) return []
  const before = session.steps[index - actionsAfterError]
  const from = before?.segment === step.segment ? before.length : 0
  const calls = getOrMake(callsOfSegments, messages, () => callsById(messages))
  const found: Use[] = []
  for (let at = from; at < step.length; at += 1) {
    for (const part of messages[at]?.parts ?? []) {
      if (part.type !== 'tool-result') continue
      const call = part.callId === null ? null : (calls.get(part.callId) ?? null)
      for (const { text, symbols } of errorLinesIn(part, call)) {
        if (symbols.some((symbol) => named.has(symbol))) found.push({ class: 'error-line', text, edit: null })
      }
    }
  }
  return found
}

const actionsAfterError = 10
const callsOfSegments = new WeakMap<readonly Message[], ReadonlyMap<string, ToolCallPart>>()

/** Each string once for its class, with the first edit that it is an anchor of. */
function once(uses: readonly Use[]): readonly Use[] {
  const seen = new Map<string, Use>()
  for (const use of uses) getOrMake(seen, `${use.class} ${use.text}`, () => use)
  return [...seen.values()]
}

/** Literal facts in an answer to a user: quotations, lines of code, paths, names and ids, of twelve and more characters. */
export function factsIn(text: string): readonly string[] {
  const found = new Set<string>()
  const add = (fact: string) => {
    const bare = fact.trim()
    if (bare.length >= minFact && bare.length <= maxFact) found.add(bare)
  }
  let isCode = false
  for (const line of text.split('\n')) {
    if (/^\s{0,9}(?:```|~~~)/.test(line)) isCode = !isCode
    else if (isCode) add(line)
    else for (const match of line.matchAll(quotations)) add(match[1] ?? match[2] ?? match[3] ?? '')
  }
  for (const facts of [pathsInText(text), idsIn(text), symbolsIn(text)]) for (const fact of facts) add(fact)
  return [...found]
}

const minFact = 12
const maxFact = 300
const quotations = /`([^`\n]{1,300})`|"([^"\n]{1,300})"|“([^”\n]{1,300})”/g

/** The lines that a call expects in a file it changes: text to be replaced, and the context in a patch. */
export function anchorsIn(call: ToolCallPart): readonly string[] {
  const kind = callKind(call)
  if (kind !== 'edit' && kind !== 'terminal' && kind !== 'other') return []
  const found: string[] = []
  for (const { key, text } of callTexts(call)) {
    if (text.includes(patchStart)) addPatch(found, text)
    else if (kind !== 'edit') continue
    else if (oldText.test(key)) addLines(found, text.split('\n'))
    else if (text.includes('\n@@')) addPatch(found, text)
    else if (blockStart.test(text)) addBlocks(found, text)
  }
  return [...new Set(found)]
}

const patchStart = '*** Begin Patch'
const oldText = /^(?:old|search|find|original)_?(?:string|str|text|content|code|snippet|lines)?$/i
const blockStart = /^(?:<{3,9}|-{3,9}) ?SEARCH\b/m
const blockMiddle = /^={3,9}\s*$/
const hostNumber = /^\s{0,9}\d{1,7}(?:\t|→)/
const minCharacters = 8
const maxLine = 2000

/** Shorter lines, such as a lone brace, may come from anywhere. */
function addLines(found: string[], lines: readonly string[]): void {
  for (const line of lines) {
    // An agent that quotes a line with its number means the line.
    const trimmed = line.length > maxLine ? '' : line.trimEnd().replace(hostNumber, '')
    if (trimmed.replaceAll(/\s/g, '').length >= minCharacters) found.push(trimmed)
  }
}

/** The lines that a patch removes or has as context, in the form that agents write or as a unified diff. */
function addPatch(found: string[], text: string): void {
  const isAgents = text.includes(patchStart)
  let isInside = isAgents
  const kept: string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('@@')) isInside = true
    else if (!isAgents && (line.startsWith('--- ') || line.startsWith('+++ ') || line.startsWith('diff '))) isInside = false
    else if (isInside && (line.startsWith(' ') || line.startsWith('-'))) kept.push(line.slice(1))
  }
  addLines(found, kept)
}

function addBlocks(found: string[], text: string): void {
  let isInside = false
  const kept: string[] = []
  for (const line of text.split('\n')) {
    if (blockStart.test(line)) isInside = true
    else if (blockMiddle.test(line)) isInside = false
    else if (isInside) kept.push(line)
  }
  addLines(found, kept)
}

interface ErrorLine {
  readonly text: string
  readonly symbols: readonly string[]
}

/** The first twenty lines that report errors and name something; none in files and searches, where "error" is code. */
export function errorLinesIn(part: ToolResultPart, call: ToolCallPart | null): readonly ErrorLine[] {
  return getOrMake(rememberedLines, part, () => (quoting.has(kindOf(part, call)) ? [] : linesIn(resultText(part))))
}

function callsById(messages: readonly Message[]): ReadonlyMap<string, ToolCallPart> {
  const calls = new Map<string, ToolCallPart>()
  for (const { parts } of messages) for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part)
  return calls
}

const quoting: ReadonlySet<ToolKind> = new Set(['file-read', 'search', 'list', 'glob', 'repo-map', 'recall'])
const rememberedLines = new WeakMap<ToolResultPart, readonly ErrorLine[]>()
/** How compilers, test runners and interpreters report an error, also in colour. */
const tells = [
  /(?:^|[\s\]m])(?:errors?|fatal|panic|fail(?:ed|ure)|exception)(?::|\[| TS\d|\u001b)/i,
  /[A-Za-z](?:Error|Exception)(?::|$)/,
  /:\d{1,7}(?::\d{1,7})?:? .{0,100}\b(?:error|undefined|cannot|unused|missing)\b/i,
  /^(?:E\s{2,}\S|(?:--- )?FAIL(?:ED)?\b|assert\b|assertion failed)/i,
]
/** Lines of a file with their numbers and lines of a diff quote code. */
const quotes = /^(?:\d{1,7}(?:→|\t|\|)|[+-](?!-))/
const maxLines = 20
const maxErrorLine = 160

function kindOf(part: ToolResultPart, call: ToolCallPart | null): ToolKind {
  const tool = call?.tool ?? part.tool
  const rules = tool === null ? null : toolRules(tool)
  const input = call === null ? null : callInput(call)
  return (input === null ? undefined : rules?.kindOf?.(input)) ?? rules?.kind ?? 'other'
}

function linesIn(text: string): readonly ErrorLine[] {
  const found = new Map<string, ErrorLine>()
  for (let start = 0; start < text.length && found.size < maxLines; ) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    const line = shortened(text.slice(start, Math.min(end, start + maxErrorLine * 2)).trim())
    if (!found.has(line) && !quotes.test(line) && tells.some((pattern) => pattern.test(line))) {
      const symbols = symbolsIn(line)
      if (symbols.length > 0) found.set(line, { text: line, symbols })
    }
    start = end + 1
  }
  return [...found.values()]
}

function shortened(line: string): string {
  if (line.length <= maxErrorLine) return line
  const cut = line.slice(0, maxErrorLine)
  return /[0-9A-Za-z_\u00c0-\u024f]/.test(line[maxErrorLine] as string)
    ? cut.replace(/[0-9A-Za-z_\u00c0-\u024f]{1,160}$/, '').trimEnd()
    : cut
}
