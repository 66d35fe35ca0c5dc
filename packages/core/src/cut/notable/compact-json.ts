import { endOfString, jsonText, parseJson } from '../../text/json.ts'
import { grouped, shorten } from '../../text/lines.ts'
import { ranks, salienceOf } from '../salient.ts'

/** The same JSON without blanks between its parts. Over `max`, long texts in it are shortened; numbers keep all their digits. */
export function compactJson(json: string, max: number): string {
  const compact = withStrings(json, (text) => text)
  for (let most = 200; compact.length > max && most >= 25; most = Math.floor(most / 2)) {
    const short = withStrings(json, (text) => shortString(text, most))
    if (short.length <= max) return short
  }
  return compact
}

function withStrings(json: string, change: (literal: string) => string): string {
  const pieces: string[] = []
  let copied = 0
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', copied)) {
    const end = Math.min(json.length, endOfString(json, at) + 1)
    pieces.push(json.slice(copied, at).replaceAll(/\s+/g, ''), change(json.slice(at, end)))
    copied = end
  }
  return pieces.join('') + json.slice(copied).replaceAll(/\s+/g, '')
}

/** Shows the place that says what failed, if the beginning does not. */
export function shortString(literal: string, max: number): string {
  if (literal.length <= max + 30) return literal
  const text = parseJson(literal)
  if (typeof text !== 'string') return literal
  const salience = salienceOf(text.slice(0, maxRead))
  const isBehind = salience !== null && salience.rank === ranks.failure && salience.at + salience.length > max
  return isBehind
    ? jsonText(`${shorten(text.slice(0, maxRead), salience, max).toWellFormed()}... (of ${grouped(text.length)} characters)`)
    : jsonText(`${text.slice(0, max).toWellFormed()}... (${grouped(text.length - max)} characters more)`)
}

const maxRead = 2000
