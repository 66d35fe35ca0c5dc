import { parseJson, withEscapedControls } from '../../text/json.ts'

/** What a model said in one step. */
export interface ReactStep {
  readonly thought: string | null
  /** The tools it asks for, in order. */
  readonly actions: readonly ReactAction[]
  /** Its answer, where it has finished. Null where it asks for a tool first: it cannot know yet what comes back. */
  readonly finish: string | null
  /** Lines that begin like an action and are none. */
  readonly malformed: readonly string[]
}

/** A tool that a model asks for. */
export interface ReactAction {
  readonly tool: string
  /** The value of its JSON argument; the text of an argument that is no JSON. */
  readonly input: unknown
}

/**
 * Reads what a model wrote, whatever it wrote. An action in a code fence counts only where there is none outside of one, and where
 * nothing more is said behind it: else it is an example. What follows an action and pretends to be its result is dropped, with all
 * that comes after. At most 64 actions are read.
 */
export function parseReact(text: string): ReactStep {
  const said = text.replace(/^\s*\[assistant\] ?/i, '')
  const found = findActions(said)
  const outside = found.filter(({ fenced, action }) => !fenced && action !== null)
  const isFencedStep = outside.length === 0 && !goesOn(said, found.at(-1))
  const chosen = isFencedStep ? found : found.filter(({ fenced }) => !fenced)
  const actions: ReactAction[] = []
  const malformed: string[] = []
  let finish: string | null = null
  for (const { action, line } of chosen) {
    if (action === null) malformed.push(line)
    else if (action.tool.toLowerCase() !== 'finish') actions.push({ tool: action.tool, input: inputOf(action.argument) })
    else {
      if (actions.length === 0) finish = readAnswer(action.argument)
      break
    }
  }
  return { thought: thoughtOf(said, chosen[0]), actions, finish, malformed }
}

/** One turn of a ReAct text. Text before the first label has no role. */
export interface ReactTurn {
  readonly role: ReactRole | null
  readonly content: string
}

/** The turns of a text that `reactText` wrote. Whatever their contents hold, there are as many as were written. */
export function parseReactTurns(text: string): readonly ReactTurn[] {
  const turns: ReactTurn[] = []
  let role: ReactRole | null = null
  let start = 0
  const close = (end: number) => {
    if (role !== null || end > start) turns.push({ role, content: unescapeRoles(text.slice(start, end)) })
  }
  for (const match of text.matchAll(turnStart)) {
    close(match.index)
    role = match[1] as ReactRole
    start = match.index + match[0].length
  }
  close(text.length)
  return turns
}

const mostActions = 64

interface FoundAction {
  readonly start: number
  readonly end: number
  readonly fenced: boolean
  readonly line: string
  /** Null where the line is no action after all. */
  readonly action: { readonly tool: string; readonly argument: string } | null
}

function findActions(text: string): readonly FoundAction[] {
  const found: FoundAction[] = []
  const marker = new RegExp(stepMarker)
  let fenced = false
  for (let match = marker.exec(text); match !== null && found.length < mostActions; match = marker.exec(text)) {
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
  const argument = readArgument(text, name.lastIndex)
  if (argument !== null) return { action: { tool, argument: argument.text }, end: argument.end }
  // Never closed: it holds what is left, up to the next line that begins a step. An answer may hold fences, and steps in them.
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

/** Whether something is said behind the fence of an action that is no step of its own. */
function goesOn(text: string, last: FoundAction | undefined): boolean {
  if (last?.fenced !== true) return false
  const marker = new RegExp(stepMarker)
  marker.lastIndex = last.end
  let match = marker.exec(text)
  // What stands in the fence behind the action belongs to it.
  while (match !== null && match[1] === undefined) match = marker.exec(text)
  if (match === null) return false
  const line = text.indexOf('\n', marker.lastIndex)
  const rest = line < 0 ? '' : text.slice(line).trimStart()
  const next = new RegExp(stepMarker).exec(rest.slice(0, 200))
  return rest !== '' && (next?.index !== 0 || next[1] !== undefined)
}

function inputOf(argument: string): unknown {
  if (argument === '') return {}
  const value = parseArgument(argument)
  return value === undefined ? argument : value
}

function thoughtOf(text: string, first: FoundAction | undefined): string | null {
  const before = text.slice(0, first?.start ?? text.length).replaceAll(thoughtLabel, '')
  // A fence that was opened for the action belongs to it.
  const own = first?.fenced === true ? before.trimEnd().replace(/(?:^|\n)[ \t]*(?:```|~~~)[^\n`~]*$/, '') : before
  const thought = unescapeSteps(own.trim()).trim()
  return thought === '' ? null : thought
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + 200)).trim()
}

/** What stands between the brackets of an action. */
interface ReactArgument {
  readonly text: string
  /** Where the text after the closing bracket begins. */
  readonly end: number
}

/**
 * Reads the argument of an action from behind its opening bracket. A JSON value is read as one, so that brackets in its strings
 * are no brackets; anything else ends at the bracket that closes it. Null when nothing does.
 */
function readArgument(text: string, start: number): ReactArgument | null {
  return readJson(text, start) ?? readBalanced(text, start)
}

/** An answer as the argument of `Finish`: as it is where that reads back as the same, else as a JSON string. */
export function writeAnswer(answer: string): string {
  const plain =
    answer !== '' && answer.trim() === answer && !jsonStart.test(answer) && readBalanced(`${answer}]`, 0)?.text === answer
  return plain ? answer : JSON.stringify(answer)
}

/** The answer behind the argument of `Finish`. */
function readAnswer(argument: string): string {
  const value = argument.startsWith('"') ? parseArgument(argument) : undefined
  return typeof value === 'string' ? value : argument
}

/** The value of a JSON text, also within a code fence or with line breaks in its strings; undefined where it has none. */
function parseArgument(argument: string): unknown {
  const json = argument.replace(fenceStart, '').replace(fenceEnd, '')
  const value = parseJson(json)
  return value === undefined ? parseJson(withEscapedControls(json)) : value
}

const jsonStart = /^(?:```|["{[])/
const fenceStart = /^```[a-z]{0,10}\s*/i
const fenceEnd = /(?<!\s)\s*```$/
const space = /[\s`]/

function readJson(text: string, start: number): ReactArgument | null {
  let at = skipSpace(text, start)
  const first = at
  at = skipSpace(text, at + (fenceStart.exec(text.slice(at, at + 20))?.[0].length ?? 0))
  if (!jsonStart.test(text.charAt(at))) return null
  const end = endOfJson(text, at)
  if (end === null) return null
  let close = end
  while (close < text.length && space.test(text.charAt(close))) close += 1
  return text[close] === ']' ? { text: text.slice(first, close).trim(), end: close + 1 } : null
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  return at
}

/** Where a JSON value that begins with a quote or a bracket ends, as far as quotes and brackets tell. */
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

/** Who speaks in a turn of a ReAct text. */
export type ReactRole = 'user' | 'assistant' | 'tool' | 'system' | 'summary'

const roles = 'user|assistant|tool|system|summary'

const step = '\\*{0,2}(?:thought|action|observation)\\*{0,2}[ \\t]*[:：]'

const fence = '(?:`{3}|~{3})'

/**
 * A turn begins at a line with a role in brackets. So that no content can begin one, a line of content that looks like it gets a
 * backslash in front, one more than it has; reading takes one away. Everything else stays as it is.
 */
export function escapeRoles(content: string): string {
  return content.replaceAll(roleLine, '\\')
}

/** Takes back what `escapeRoles` did. */
function unescapeRoles(content: string): string {
  return content.replaceAll(escapedRoleLine, '')
}

/**
 * The same for the lines a step is made of, `Thought:`, `Action:` and `Observation:`. A code fence stays as it is, unless it is
 * never closed and would take in what follows.
 */
export function escapeSteps(thought: string): string {
  const escaped = thought.replaceAll(stepLine, '\\')
  // The first line stands behind its label, where nothing is a fence.
  const fences = [...escaped.matchAll(fenceLine)].filter(({ index }) => index > 0)
  const last = fences.at(-1)
  if (last === undefined || fences.length % 2 === 0) return escaped
  return `${escaped.slice(0, last.index)}\\${escaped.slice(last.index)}`
}

/** Takes back what `escapeSteps` did. */
function unescapeSteps(thought: string): string {
  return thought.replaceAll(escapedStepLine, '')
}

/** Where a turn begins: at the start of the text, or after an empty line. */
const turnStart = new RegExp(`(?:^|\\n\\n)\\[(${roles})\\](?: |\\n|$)`, 'g')

/** The lines a step is made of: a fence, a label of a step, or a role, which only a turn that a model made up would have. */
const stepMarker = new RegExp(
  `^[ \\t]*(?:(${fence})|\\*{0,2}(thought|action|observation)\\*{0,2}[ \\t]*[:：]\\*{0,2}|(\\[(?:${roles})\\])(?= |$))`,
  'gim',
)

/** The label of a thought. */
const thoughtLabel = /^[ \t]*\*{0,2}thought\*{0,2}[ \t]*[:：]\*{0,2}[ \t]?/gim

const roleLine = new RegExp(`^(?=\\\\*\\[(?:${roles})\\])`, 'gim')

const escapedRoleLine = new RegExp(`^\\\\(?=\\\\*\\[(?:${roles})\\])`, 'gim')

const stepLine = new RegExp(`^(?=\\\\*[ \\t]*${step}|\\\\+[ \\t]*${fence})`, 'gim')

const escapedStepLine = new RegExp(`^\\\\(?=\\\\*[ \\t]*(?:${step}|${fence}))`, 'gim')

const fenceLine = new RegExp(`^[ \\t]*${fence}`, 'gm')
