import { parseArgument, readAnswer, readArgument } from './react-argument.ts'
import { type ReactRole, stepMarker, thoughtLabel, turnStart, unescapeRoles, unescapeSteps } from './react-lines.ts'

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
