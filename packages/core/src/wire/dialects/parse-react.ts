import { parseJson, withEscapedControls } from '../../text/json.ts'

export interface ReactStep {
  readonly thought: string | null
  /** The tool calls in order, with the parsed JSON argument, or its text if it is not JSON. */
  readonly actions: readonly { readonly tool: string; readonly input: unknown }[]
  readonly finish: string | null
  readonly malformed: readonly string[]
}

/**
 * Parses any model output. A fenced action counts only if none is outside a fence and nothing follows it; else it is an example.
 * A made-up result is dropped, with all that follows. Reads at most 64 actions.
 */
export function parseReact(text: string): ReactStep {
  const said = text.replace(/^\s*\[assistant\] ?/i, '')
  const found = findActions(said)
  const outside = found.filter(({ fenced, action }) => !fenced && action !== null)
  const isFencedStep = outside.length === 0 && !goesOn(said, found.at(-1))
  const chosen = isFencedStep ? found : found.filter(({ fenced }) => !fenced)
  const actions: { readonly tool: string; readonly input: unknown }[] = []
  const malformed: string[] = []
  let finish: string | null = null
  for (const { action, line } of chosen) {
    if (action === null) malformed.push(line)
    else if (action.tool.toLowerCase() !== 'finish') actions.push({ tool: action.tool, input: readInput(action.argument) })
    else {
      if (actions.length === 0) finish = readAnswer(action.argument)
      break
    }
  }
  return { thought: thoughtOf(said, chosen[0]), actions, finish, malformed }
}

const maxActions = 64

interface FoundAction {
  readonly start: number
  readonly end: number
  readonly fenced: boolean
  readonly line: string
  readonly action: { readonly tool: string; readonly argument: string } | null
}

function findActions(text: string): readonly FoundAction[] {
  const found: FoundAction[] = []
  const marker = new RegExp(stepMarker)
  let fenced = false
  for (let match = marker.exec(text); match !== null && found.length < maxActions; match = marker.exec(text)) {
    const [, fence, label, role] = match
    if (fence !== undefined) fenced = !fenced
    else if (role !== undefined || label?.toLowerCase() === 'observation') {
      if (found.some(({ action }) => action !== null) && !fenced) break
    } else if (label?.toLowerCase() === 'action') {
      const { action, end } = readAction(text, marker.lastIndex)
      found.push({ start: match.index, end, fenced, line: lineAt(text, match.index), action })
      marker.lastIndex = end
    }
  }
  return found
}

function readAction(text: string, start: number): { readonly action: FoundAction['action']; readonly end: number } {
  const name = /[ \t]*([^\s[\]]{1,128})[ \t]*\[/y
  name.lastIndex = start
  const tool = name.exec(text)?.[1]
  if (tool === undefined) return { action: null, end: start }
  // Parse JSON first, so that brackets in its strings do not count.
  const argument = readJson(text, name.lastIndex) ?? readBalanced(text, name.lastIndex)
  if (argument !== null) return { action: { tool, argument: argument.text }, end: argument.end }
  // Never closed: it runs to the next step. An answer may contain fences, and steps in them.
  const next = new RegExp(stepMarker)
  next.lastIndex = name.lastIndex
  let match = next.exec(text)
  for (let fenced = false; tool.toLowerCase() === 'finish' && match !== null; match = next.exec(text)) {
    if (match[1] !== undefined) fenced = !fenced
    else if (!fenced) break
  }
  const end = match?.index ?? text.length
  return { action: { tool, argument: text.slice(name.lastIndex, end).trim() }, end: Math.max(end, name.lastIndex) }
}

function goesOn(text: string, last: FoundAction | undefined): boolean {
  if (last?.fenced !== true) return false
  const marker = new RegExp(stepMarker)
  marker.lastIndex = last.end
  let match = marker.exec(text)
  // Text in the fence after the action belongs to it.
  while (match !== null && match[1] === undefined) match = marker.exec(text)
  if (match === null) return false
  const line = text.indexOf('\n', marker.lastIndex)
  const rest = line < 0 ? '' : text.slice(line).trimStart()
  const next = new RegExp(stepMarker).exec(rest.slice(0, 200))
  return rest !== '' && (next?.index !== 0 || next[1] !== undefined)
}

function readInput(argument: string): unknown {
  if (argument === '') return {}
  const value = parseArgument(argument)
  return value === undefined ? argument : value
}

function thoughtOf(text: string, first: FoundAction | undefined): string | null {
  const before = text.slice(0, first?.start ?? text.length).replaceAll(thoughtLabel, '')
  // A fence opened for the action belongs to it.
  const own = first?.fenced === true ? before.trimEnd().replace(/(?:^|\n)[ \t]*(?:```|~~~)[^\n`~]*$/, '') : before
  const thought = own.trim().replaceAll(escapedStepLine, '').trim()
  return thought === '' ? null : thought
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + 200)).trim()
}

type ReactArgument = { readonly text: string; readonly end: number }

/** An answer as the argument of `Finish`: unchanged if it parses back to itself, else as a JSON string. */
export function writeAnswer(answer: string): string {
  const plain =
    answer !== '' && answer.trim() === answer && !jsonStart.test(answer) && readBalanced(`${answer}]`, 0)?.text === answer
  return plain ? answer : JSON.stringify(answer)
}

function readAnswer(argument: string): string {
  const value = argument.startsWith('"') ? parseArgument(argument) : undefined
  return typeof value === 'string' ? value : argument
}

function parseArgument(argument: string): unknown {
  const json = argument.replace(fenceStart, '').replace(fenceEnd, '')
  const value = parseJson(json)
  return value === undefined ? parseJson(withEscapedControls(json)) : value
}

const jsonStart = /^(?:```|["{[])/
const fenceStart = /^```[a-z]{0,10}\s*/i
const fenceEnd = /\s{0,400}```$/

function readJson(text: string, start: number): ReactArgument | null {
  const first = skip(text, start, /\s/)
  const at = skip(text, first + (fenceStart.exec(text.slice(first, first + 20))?.[0].length ?? 0), /\s/)
  const end = jsonStart.test(text.charAt(at)) ? endOfJson(text, at) : null
  if (end === null) return null
  const close = skip(text, end, /[\s`]/)
  return text[close] === ']' ? { text: text.slice(first, close).trim(), end: close + 1 } : null
}

function skip(text: string, start: number, signs: RegExp): number {
  let at = start
  while (at < text.length && signs.test(text.charAt(at))) at += 1
  return at
}

function endOfJson(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
      if (at >= text.length) return null
    } else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth <= 0) return depth < 0 ? null : at + 1
  }
  return null
}

function readBalanced(text: string, start: number): ReactArgument | null {
  let depth = 1
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    else if (text[at] === ']') depth -= 1
    if (depth === 0) return { text: text.slice(start, at).trim(), end: at + 1 }
  }
  return null
}

export type ReactRole = 'user' | 'assistant' | 'tool' | 'system' | 'summary'
const roles = 'user|assistant|tool|system|summary'
const step = '\\*{0,2}(?:thought|action|observation)\\*{0,2}[ \\t]*[:：]'
const fence = '(?:`{3}|~{3})'

/** A line with a role in brackets starts a turn. Content lines that look like one get one more backslash; readers remove one. */
export function escapeRoles(content: string): string {
  return content.replaceAll(roleLine, '\\')
}

/** The same for the lines of a step. Fences stay unchanged, unless never closed. */
export function escapeSteps(thought: string): string {
  const escaped = thought.replaceAll(stepLine, '\\')
  // The first line follows its label, which cannot be a fence.
  const fences = [...escaped.matchAll(fenceLine)].filter(({ index }) => index > 0)
  const last = fences.at(-1)
  if (last === undefined || fences.length % 2 === 0) return escaped
  return `${escaped.slice(0, last.index)}\\${escaped.slice(last.index)}`
}

const stepMarker = new RegExp(
  `^[ \\t]*(?:(${fence})|\\*{0,2}(thought|action|observation)\\*{0,2}[ \\t]*[:：]\\*{0,2}|(\\[(?:${roles})\\])(?= |$))`,
  'gim',
)

const thoughtLabel = /^[ \t]*\*{0,2}thought\*{0,2}[ \t]*[:：]\*{0,2}[ \t]?/gim
const roleLine = new RegExp(`^(?=\\\\*\\[(?:${roles})\\])`, 'gim')
const stepLine = new RegExp(`^(?=\\\\*[ \\t]*${step}|\\\\+[ \\t]*${fence})`, 'gim')
const escapedStepLine = new RegExp(`^\\\\(?=\\\\*[ \\t]*(?:${step}|${fence}))`, 'gim')
const fenceLine = new RegExp(`^[ \\t]*${fence}`, 'gm')
