import type { ToolCallPart } from '@plimsoll/core'
import { callKind, callTexts } from './call-texts.ts'

/** The lines that a call expects to find in a file it changes: what is to be replaced, and what surrounds it in a patch. */
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
const leastCharacters = 8
const longestLine = 2000

/** Shorter lines, such as a lone brace, say nothing about where they come from. */
function addLines(found: string[], lines: readonly string[]): void {
  for (const line of lines) {
    // An agent that quotes a line with its number means the line.
    const whole = line.length > longestLine ? '' : line.trimEnd().replace(hostNumber, '')
    if (whole.replaceAll(/\s/g, '').length >= leastCharacters) found.push(whole)
  }
}

/** What a patch removes or leaves around it, in the form that agents write or as a unified diff. */
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
