import { perItem, perList } from '../derive.ts'
import { inputText, type Message, mediaIn, type Part, resultText, type ToolResultPart } from '../message.ts'
import { createHasher, handleOf } from '../text/hash.ts'
import { countLines, utf8Length } from '../text/lines.ts'

/**
 * Messages as plain text: speakers, calls with arguments, results in full, each with its handle. Does not depend on ids. A result too large for the
 * log is given by its handle only.
 */
export function transcriptOf(messages: readonly Message[]): string {
  const tools = new Map<string, string>()
  return messages.flatMap((message) => [...piecesOfMessage(message, tools)]).join('')
}

/** The handle of a transcript, without building the transcript in memory. */
export function transcriptHandle(messages: readonly Message[]): string {
  return hashTranscript(messages)
}

const hashTranscript = perList({
  start: () => ({ hasher: createHasher(), tools: new Map<string, string>() }),
  add({ hasher, tools }, message: Message) {
    for (const piece of piecesOfMessage(message, tools)) hasher.update(piece)
  },
  finish: ({ hasher }) => hasher.digest(),
})()

export function resultHandle(part: ToolResultPart): string {
  return part.blob?.handle ?? textHandle(part)
}

const textHandle = perItem((part: ToolResultPart) => handleOf(resultText(part)))()

/** `tools` are those of the calls so far, by the call's id. */
function* piecesOfMessage(message: Message, tools: Map<string, string>): Generator<string> {
  for (const part of message.parts) {
    if (part.type === 'tool-call') tools.set(part.callId, part.tool)
    yield* piecesOfPart(part, message, tools)
  }
}

function* piecesOfPart(part: Part, message: Message, tools: ReadonlyMap<string, string>): Generator<string> {
  switch (part.type) {
    case 'text':
      yield `--- ${message.role}${message.summary === true ? ' summary' : ''}, ${linesIn(part.text)} ---\n`
      return yield* closed(part.text)
    case 'reasoning':
      yield `--- ${message.role} thinks, ${linesIn(part.text)} ---\n`
      return yield* closed(part.text)
    case 'media':
      return yield `--- ${message.role}: ${inOneLine(part.mediaType)} ---\n\n`
    case 'tool-call':
      yield `--- call ${inOneLine(part.callId)}: ${inOneLine(part.tool)} ---\n`
      return yield* closed(inputText(part))
    case 'tool-result':
      return yield* piecesOfResult(part, tools)
  }
}

function* piecesOfResult(part: ToolResultPart, tools: ReadonlyMap<string, string>): Generator<string> {
  const called = part.callId === null ? undefined : tools.get(part.callId)
  const name = `result${part.callId === null ? '' : ` ${inOneLine(part.callId)}`}: ${inOneLine(called ?? part.tool ?? 'tool')}`
  const failed = part.isError === true ? ', error' : ''
  // From the log it would be an extract, and a transcript must read the same before and after.
  if (part.blob !== undefined || isOver(resultText(part), maxStoredBytes)) {
    return yield `--- ${name}${failed}, kept apart for its size, recall ${resultHandle(part)} ---\n\n`
  }
  const text = resultText(part)
  yield `--- ${name}${failed}, ${linesIn(text)}, recall ${resultHandle(part)} ---\n`
  yield* closed(text)
  for (const { mediaType } of mediaIn(part)) yield `[${inOneLine(mediaType)}]\n\n`
}

function* closed(text: string): Generator<string> {
  if (text !== '') yield text
  yield text === '' || text.endsWith('\n') ? '\n' : '\n\n'
}

/** Counts show a reader where a text ends, regardless of its content. */
function linesIn(text: string): string {
  const count = countLines(text)
  return count === 1 ? '1 line' : `${count} lines`
}

function inOneLine(name: string): string {
  return name.slice(0, 200).replaceAll(/\s+/g, ' ')
}

/** A result's text over this many bytes of UTF-8 is stored outside the log. */
export const maxStoredBytes = 1_000_000

export function isOver(text: string, limit: number): boolean {
  if (text.length > limit) return true
  return text.length * 3 > limit && utf8Length(text) > limit
}
