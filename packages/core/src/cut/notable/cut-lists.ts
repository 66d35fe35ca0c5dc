import { parseJson } from '../../text/json.ts'
import { detached } from '../../text/lines.ts'
import { compactJson } from './compact-json.ts'
import { cutRecords } from './cut-records.ts'
import { jsonIn } from './json-lists.ts'
import { listsBeside } from './read-records.ts'

/** `cutRecords` for a text that may have several lists of like records in one JSON, as under several keys: each gets its share of the room. */
export function cutLists(text: string, characters: number, handle: string | null): string | null {
  return cutSeveral(text, characters, handle) ?? cutRecords(text, characters, handle)
}

function cutSeveral(text: string, characters: number, handle: string | null): string | null {
  const whole = text.length > maxLength ? null : jsonIn(text)
  if (whole === null || parseJson(text.slice(...whole)) === undefined) return null
  const lists = listsBeside(text, whole)
  const listed = lists.reduce((sum, [start, end]) => sum + end - start, 0)
  if (lists.length < 2 || listed * 2 < text.length) return null
  const between = lists.map(([start], index) => compactJson(text.slice(lists[index - 1]?.[1] ?? whole[0], start), maxBetween))
  const after = compactJson(text.slice(lists.at(-1)?.[1], whole[1]), maxBetween)
  const around = text.slice(0, whole[0]).length + after.length + text.length - whole[1]
  const room = characters - around - between.reduce((sum, { length }) => sum + length, 0)
  const pieces: string[] = [text.slice(0, whole[0])]
  for (const [index, [start, end]] of lists.entries()) {
    const share = Math.floor((room * (end - start)) / listed)
    const list = text.slice(start, end)
    const shown = share < minShare ? null : (cutRecords(list, share, handle) ?? compactJson(list, share))
    if (shown === null || shown.length > share) return null
    pieces.push(between[index] as string, shown)
  }
  return detached(pieces.join('') + after + text.slice(whole[1]))
}

const maxLength = 1_000_000
const maxBetween = 400
const minShare = 100
