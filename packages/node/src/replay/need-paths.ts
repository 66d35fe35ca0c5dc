import type { ToolCallPart } from '@plimsoll/core'
import { callKind, callTexts } from './call-texts.ts'
import { isGuessable } from './guessable.ts'

/** The paths that a call names: in arguments that hold one, inside shell commands, and in the heads of patches. */
export function pathsIn(call: ToolCallPart): readonly string[] {
  const isShell = callKind(call) === 'terminal'
  const found = new Set<string>()
  for (const { key, text } of callTexts(call)) {
    if (pathKey.test(key)) add(found, text.trim())
    else if (isShell) for (const path of pathsInText(text)) found.add(path)
    if (text.includes('*** ')) for (const [, path] of text.matchAll(patchHead)) add(found, (path ?? '').trim())
  }
  return [...found]
}

/** The paths that stand in a text: with a folder, or a file name with an ending that files have. */
export function pathsInText(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [token] of text.matchAll(tokens)) {
    // A URL's path follows its colon; what sed replaces looks like a path.
    if (token.startsWith('//') || substitution.test(token)) continue
    if (token.includes('/') || fileName.test(token)) add(found, token)
  }
  return [...found]
}

const pathKey = /(?:path|file|filename|dir|directory|folder|cwd|workdir)s?$/i
const patchHead = /^\*\*\* (?:Update|Delete|Add) File: (.{1,400})$/gm
const tokens = /[\w./@+~\u00c0-\uffff-]{4,400}/g
const substitution = /^[sy]\/.*\/[gimpI0-9]*$/
const fileName =
  /^[\w@+\u00c0-\uffff][\w.@+\u00c0-\uffff-]{0,200}\.(?:c|cc|cfg|conf|cpp|cs|css|csv|go|h|hpp|html?|ini|java|jsx?|json|jsonl|kt|lock|lua|log|m?[jt]s|md|mdx|php|png|proto|py|rb|rs|rst|scss|sh|sql|svelte|swift|toml|tsx?|txt|vue|xml|ya?ml|zig)$/

function add(found: Set<string>, given: string): void {
  const path = trimmed(given)
  if (path.length < 4 || path.length > 400 || /[\n\r*?]/.test(path) || !/[A-Za-z\u00c0-\uffff]/.test(path)) return
  if (!/[/\\]|\.\w/.test(path) || path.includes('://') || isGuessable(path)) return
  found.add(path)
}

/** Without `./` before it and what ends a sentence or names a folder behind it. */
function trimmed(given: string): string {
  let start = 0
  while (given.startsWith('./', start)) start += 2
  let end = given.length
  while (end > start && (given[end - 1] === '/' || given[end - 1] === '.' || given[end - 1] === '-')) end -= 1
  return given.slice(start, end)
}
