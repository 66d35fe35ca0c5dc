import { isRecord, parseJson } from '@plimsoll/core/text'
import { type Patch, patchText } from '@plimsoll/core/wire'
import type { ToldSummary } from '../planner.ts'
import { type AnswerTransform, splitEvents } from '../relay/tell-applied-edits.ts'
import { blockEvents, eventText } from './own-answer.ts'

interface TellOptions {
  readonly contentType: string
  readonly told: ToldSummary
}

/**
 * Puts a summary first in an answer, as the provider would, and counts the blocks or items after it on. An answer that cannot be read passes unchanged. The
 * answer must not be packed.
 */
export function tellCompaction({ contentType, told }: TellOptions): AnswerTransform {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'text/event-stream') return tellInStream(told)
  return type === 'application/json' ? tellInMessage(told) : { write: (chunk) => [chunk], end: () => [] }
}

/** Larger events and messages pass unchanged. */
const maxEventBytes = 1024 * 1024
const maxMessageBytes = 8 * 1024 * 1024

function tellInMessage({ dialect, item }: ToldSummary): AnswerTransform {
  let held: Uint8Array[] = []
  let size = 0
  const list = dialect === 'anthropic' ? 'content' : 'output'
  return {
    write(chunk) {
      held.push(chunk)
      size += chunk.length
      if (size <= maxMessageBytes) return []
      const pieces = held
      held = []
      return pieces
    },
    end() {
      const bytes = Buffer.concat(held)
      if (bytes.length === 0) return []
      const text = bytes.toString('utf8')
      const value = parseJson(text)
      if (!isRecord(value) || !Array.isArray(value[list])) return [bytes]
      return [Buffer.from(patchText(text, [{ op: 'insert', path: [list, 0], value: item }]))]
    },
  }
}

function tellInStream(told: ToldSummary): AnswerTransform {
  const events = splitEvents(maxEventBytes)
  const change = told.dialect === 'anthropic' ? anthropicEvents(told) : openAiEvents(told)
  const passed = (pieces: readonly Uint8Array[]) =>
    pieces.flatMap((piece) => {
      try {
        return changedEvent(piece, change)
      } catch {
        return [piece]
      }
    })
  return { write: (chunk) => passed(events.write(chunk)), end: () => passed(events.end()) }
}

interface Changed {
  readonly before?: string
  readonly patches: readonly Patch[]
  readonly after?: string
}

type ChangeEvent = (event: Readonly<Record<string, unknown>>) => Changed | null

function changedEvent(bytes: Uint8Array, change: ChangeEvent): readonly Uint8Array[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .split(/(\r\n|\r|\n)/)
  const places = lines.flatMap((line, place) => (line.startsWith('data:') ? [place] : []))
  const [place] = places
  const data = place === undefined || places.length > 1 ? '' : (lines[place] as string).slice(5)
  const event = parseJson(data)
  const changed = isRecord(event) ? change(event) : null
  if (changed === null || place === undefined) return [bytes]
  lines[place] = `data:${patchText(data, changed.patches)}`
  return [Buffer.from(`${changed.before ?? ''}${lines.join('')}${changed.after ?? ''}`)]
}

function anthropicEvents({ item }: ToldSummary): ChangeEvent {
  const added = blockEvents(item).map(eventText).join('')
  return ({ type, index }) => {
    if (type === 'message_start') return { patches: [], after: added }
    return typeof index === 'number' ? { patches: [{ op: 'set', path: ['index'], value: index + 1 }] } : null
  }
}

function openAiEvents({ item }: ToldSummary): ChangeEvent {
  let isTold = false
  return ({ sequence_number: number, output_index: index, response }) => {
    const isOver = isRecord(response) && Array.isArray(response['output']) && response['output'].length > 0
    let before = ''
    if (!isTold && (typeof index === 'number' || isOver)) {
      const from = typeof number === 'number' ? number : 0
      before = ['added', 'done']
        .map((step, at) => ({ type: `response.output_item.${step}`, sequence_number: from + at, output_index: 0, item }))
        .map(eventText)
        .join('')
      isTold = true
    }
    if (!isTold) return null
    const patches: Patch[] = []
    if (typeof number === 'number') patches.push({ op: 'set', path: ['sequence_number'], value: number + 2 })
    if (typeof index === 'number') patches.push({ op: 'set', path: ['output_index'], value: index + 1 })
    if (isRecord(response) && Array.isArray(response['output']))
      patches.push({ op: 'insert', path: ['response', 'output', 0], value: item })
    return { before, patches }
  }
}
