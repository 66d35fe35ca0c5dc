import { applyEdits, type Edit, placeOf, type ReplaceEdit } from './edit.ts'
import type { Facts } from './facts.ts'
import type { Message, Part } from './message.ts'
import { lastSeenIndex } from './protect.ts'
import type { ReportedEdit } from './report.ts'
import { countMessage, countPart, estimator } from './tokens.ts'
import { toolOf, toolResults } from './tool-results.ts'

/** Says of each edit, in order, what it did to the size and whether it rewrites what the provider has cached. */
export function measureEdits(
  messages: readonly Message[],
  edits: readonly Edit[],
  inForce: readonly Edit[],
  facts: Facts,
): readonly ReportedEdit[] {
  const isOld = createLookup(inForce)
  const rows: ReportedEdit[] = []
  let current = messages
  for (let start = 0; start < edits.length; ) {
    // One policy's edits were planned on one list of messages.
    let end = start
    while (end < edits.length && edits[end]?.policy === edits[start]?.policy) end += 1
    const run = edits.slice(start, end)
    measureRun(current, run, isOld, facts, rows)
    start = end
    if (start < edits.length) current = applyEdits(current, run)
  }
  return rows
}

function measureRun(
  messages: readonly Message[],
  edits: readonly Edit[],
  isOld: (edit: Edit) => boolean,
  facts: Facts,
  rows: ReportedEdit[],
): void {
  toolResults(messages, facts)
  const lastSeen = facts.sent === undefined || facts.sent === null ? -1 : lastSeenIndex(messages, facts.sent)
  let cursor = 0
  for (const edit of edits) {
    const place = placeOf(edit)
    // Edits mostly come in message order, so the next one is found a few steps on.
    let index = cursor
    while (index < messages.length && messages[index]?.id !== place) index += 1
    if (index >= messages.length) index = messages.findIndex((message) => message.id === place)
    if (index >= 0) cursor = index
    // A message is put after its place, so it is the next one's bytes that change.
    const changed = edit.kind === 'insert' ? cursor + 1 : cursor
    const cache = changed <= lastSeen && !isOld(edit) ? 'rewrite' : 'free'
    rows.push(measure(messages, cursor, edit, cache, facts))
  }
}

function measure(messages: readonly Message[], index: number, edit: Edit, cache: ReportedEdit['cache'], facts: Facts): ReportedEdit {
  const tokenizer = facts.tokens ?? estimator
  const base = { id: edit.id, policy: edit.policy, kind: edit.kind, why: edit.why, cache }
  if (edit.kind === 'replace') {
    const was = (messages[index] as Message).parts[edit.part] as Part
    return {
      ...base,
      message: edit.message,
      part: edit.part,
      tool: toolName(was),
      tokensBefore: countPart(was, tokenizer),
      tokensAfter: countPart((edit as ReplaceEdit).with, tokenizer),
    }
  }
  if (edit.kind === 'insert') {
    const tokensAfter = countMessage(edit.message, tokenizer)
    return { ...base, message: edit.after ?? edit.message.id, part: 0, tool: toolName(edit.message.parts[0]), tokensBefore: 0, tokensAfter }
  }
  let tokensBefore = 0
  for (let at = index; at < messages.length; at += 1) {
    const message = messages[at] as Message
    tokensBefore += countMessage(message, tokenizer)
    if (message.id === edit.last) break
  }
  const tokensAfter = edit.into === null ? 0 : countMessage(edit.into, tokenizer)
  return { ...base, message: edit.first, part: 0, tool: toolName(messages[index]?.parts[0]), tokensBefore, tokensAfter }
}

function toolName(part: Part | undefined): string | null {
  if (part?.type === 'tool-result') return toolOf(part)
  return part?.type === 'tool-call' ? part.tool : null
}

/** Whether the same decision was in force at the last request: the same object, or the same content after a restart. */
function createLookup(inForce: readonly Edit[]): (edit: Edit) => boolean {
  if (inForce.length === 0) return () => false
  const byId = new Map(inForce.map((edit) => [edit.id, edit]))
  return (edit) => {
    const old = byId.get(edit.id)
    return old !== undefined && (old === edit || content(old) === content(edit))
  }
}

function content(edit: Edit): string {
  const { id: _id, why: _why, ...rest } = edit
  return JSON.stringify(rest)
}
