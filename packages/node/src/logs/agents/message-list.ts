import { type Codec, codecs, type Message } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { ReadError } from '@plimsoll/core/wire'
import { createUniqueIds, settleDrafts } from '../draft.ts'
import { type Fields, fieldsAt, listAt, type Time, textAt, timeAt } from '../fields.ts'
import { createRecordReader, type FoundUsage, type LogNotes, readSessionOf } from '../log-reader.ts'
import { type Reported, readUsage } from '../read-usage.ts'

/** A message as a codec read it, and the object it was read from. */
export interface ListedMessage {
  readonly message: Message
  readonly source: Fields
}

/** Reads a list of messages. Reports and skips those that the dialect does not allow. */
export function readMessageList(list: readonly unknown[], codec: Codec, notes: LogNotes): readonly ListedMessage[] {
  const whole = tryRead(list, codec)
  const isReadable = (item: unknown, index: number) => {
    const isKept = tryRead([item], codec) !== null
    if (!isKept) notes.skip(index + 1, isRecord(item) ? 'no-message' : 'not-an-object')
    return isKept
  }
  const readable = whole === null ? list.filter(isReadable) : list
  const unique = createUniqueIds()
  return (whole ?? codec.read(readable).messages).flatMap((message) => {
    const source = readable[Number.parseInt(message.id, 10)]
    if (!isRecord(source)) return []
    if (message.parts.every((part) => part.type === 'text' && part.text === '')) {
      notes.pass('message without content')
      return []
    }
    const given = textAt(source, 'id')
    const id = unique(given === null ? message.id : `${given}${message.id.slice(String(Number.parseInt(message.id, 10)).length)}`)
    return [{ message: { ...message, id, ...writtenAt(source) }, source }]
  })
}

function tryRead(list: readonly unknown[], codec: Codec): readonly Message[] | null {
  try {
    return codec.read(list).messages
  } catch (error) {
    if (error instanceof ReadError) return null
    throw error
  }
}

/** When a message was written, from any of the usual fields. Seconds and milliseconds differ in size. */
export function writtenAt(source: Fields): Time {
  const extra = fieldsAt(source, 'extra')
  const at =
    momentAt(source, 'ts') ??
    momentAt(source, 'timestamp') ??
    momentAt(extra, 'timestamp') ??
    momentAt(fieldsAt(extra, 'response'), 'created') ??
    momentAt(source, 'created_at')
  return at === null ? {} : { at }
}

function momentAt(fields: Fields, field: string): number | null {
  const { at = 0 } = timeAt(fields, field)
  return at > 0 ? Math.round(at < secondsUntil ? at * 1000 : at) : null
}

/** As milliseconds this is March 1973; as seconds, the year 5138. */
const secondsUntil = 100_000_000_000

export function responseOf(source: Fields): { readonly reported: Reported | null; readonly model: string | null } {
  const extra = fieldsAt(source, 'extra')
  const response = fieldsAt(extra, 'response')
  const info = fieldsAt(source, 'modelInfo')
  return {
    reported:
      readUsage(source['usage']) ?? metricsUsage(fieldsAt(source, 'metrics')) ?? readUsage(response['usage'], extra['cost']),
    model: textAt(source, 'model') ?? textAt(info, 'id') ?? textAt(info, 'modelId') ?? textAt(response, 'model'),
  }
}

/** Cline's input includes what was read from and written to the cache. */
function metricsUsage(metrics: Fields): Reported | null {
  const tokens = fieldsAt(metrics, 'tokens')
  const input = metrics['inputTokens'] ?? tokens['prompt']
  if (input === undefined) return null
  const usage = {
    prompt_tokens: input,
    completion_tokens: metrics['outputTokens'] ?? tokens['completion'],
    prompt_tokens_details: {
      cached_tokens: metrics['cacheReadTokens'] ?? tokens['cached'],
      cache_write_tokens: metrics['cacheWriteTokens'],
    },
  }
  return readUsage(usage, metrics['cost'])
}

export function usagesOf(listed: readonly ListedMessage[], model: string | null): readonly FoundUsage[] {
  const known = new Set<Fields>()
  return listed.flatMap(({ message, source }) => {
    if (message.role !== 'assistant' || known.has(source)) return []
    known.add(source)
    const response = responseOf(source)
    return response.reported === null ? [] : [{ after: message.id, ...response.reported, model: response.model ?? model }]
  })
}

export function lastModel(listed: readonly ListedMessage[]): string | null {
  const last = listed.findLast(({ message, source }) => message.role === 'assistant' && responseOf(source).model !== null)
  return last === undefined ? null : responseOf(last.source).model
}

/** If some messages have a time, gives the others that of the message before them, or of the first that has one. */
export function withTimes(listed: readonly ListedMessage[]): readonly ListedMessage[] {
  let at = listed.find(({ message }) => message.at !== undefined)?.message.at
  return listed.map(({ message, source }) => {
    at = message.at ?? at
    return { message: at === undefined ? message : { ...message, at }, source }
  })
}

/** Tau-bench: a list of runs, each with its task, its reward, and the messages under `traj`. */
export const tauBench = createRecordReader({
  name: 'tau-bench',
  detect: (entry) => Array.isArray(entry['traj']) && ('task_id' in entry || 'reward' in entry),
  read(entry, notes, take) {
    const listed = withTimes(readMessageList(listAt(entry, 'traj'), codecs['openai-chat'], notes))
    const { task_id: task, trial } = entry
    const isNamed = typeof task === 'number' || typeof task === 'string'
    const model = lastModel(listed) ?? textAt(entry, 'model')
    return readSessionOf({
      id: isNamed ? `task-${task}${typeof trial === 'number' ? `.${trial}` : ''}` : null,
      model,
      messages: settleDrafts(listed).map(take),
      usages: usagesOf(listed, model),
    })
  },
})
