import { isRecord, parseJson } from '@plimsoll/core/text'
import type { Fields } from './answer-reader.ts'
import type { AnswerText } from './answer-usage.ts'
import { fieldsBeforeCut } from './fields-before-cut.ts'
import { fieldsBehindCut } from './fields-behind-cut.ts'

/**
 * The JSON objects of an answer that can be read, in order: its only one, the items of a list, or the data of events. Of an object
 * that was cut, those of its own fields that are whole. What is no JSON is left out.
 */
export function* answerEvents({ head, tail }: AnswerText): Generator<Fields> {
  const first = firstUnit(head)
  if (first !== openBrace && first !== openBracket) {
    yield* streamed(head)
    if (tail !== null) yield* streamed(tail)
    return
  }
  const value = tail === null ? parseJson(head) : undefined
  if (isRecord(value)) yield value
  else if (Array.isArray(value)) yield* (value as readonly unknown[]).filter(isRecord)
  else {
    yield fieldsBeforeCut(head)
    if (tail !== null) yield fieldsBehindCut(tail, first === openBracket ? 'list' : 'object')
  }
}

const openBrace = 0x7b
const openBracket = 0x5b

function firstUnit(text: string): number {
  return text.charCodeAt(text.search(/[^\s\ufeff]/))
}

/** The data of a stream's events. An event whose beginning or end is missing is no JSON. */
function* streamed(text: string): Generator<Fields> {
  let data: string | null = null
  let unreadable = 0
  let naming = 0
  let start = 0
  while (start <= text.length && unreadable <= mostUnreadable) {
    const end = lineEnd(text, start)
    const isEmpty = end === start
    if (text.startsWith('data:', start)) {
      const line = text.slice(start + 5, end)
      data = data === null ? line : `${data}\n${line}`
    }
    start = end + (text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === newLine ? 2 : 1)
    // Whoever ends a stream right behind its last line means that event too.
    if (data === null || (!isEmpty && start <= text.length)) continue
    const json = data
    data = null
    if (!telling.test(json)) {
      if (naming >= mostNaming || !json.includes('model')) continue
      naming += 1
    }
    const value = parseJson(json)
    if (isRecord(value)) yield value
    else unreadable += 1
  }
}

const newLine = 0x0a
const carriageReturn = 0x0d

/** Where a line ends that begins here: at either sign for it, or at the end of the text. */
function lineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === newLine || unit === carriageReturn) return at
  }
  return text.length
}

/**
 * Most events carry a few words of the answer; reading them all takes longer than looking for those that tell something. Many say of
 * usage and of reasons to stop that there are none yet.
 */
const telling = /usage(?:metadata)?"\s*:\s*[^\sn]|reason"\s*:\s*[^\sn]|error|status/i
/** The model is named by the first events or by all of them. */
const mostNaming = 3
/** What has so many events that are no JSON is none of the answers that are read here. */
const mostUnreadable = 1000
