import { parseJson } from '../../text/json.ts'
import { detached } from '../../text/lines.ts'
import { briefBeside } from './brief-json.ts'
import { compactJson } from './compact-json.ts'
import { cutRecords } from './cut-records.ts'
import { jsonIn } from './json-lists.ts'
import { notableRecords } from './notable-records.ts'
import { listsBeside, readRecords } from './read-records.ts'

/** `cutRecords` for a text that may have several lists of like records in one JSON, as under several keys: each gets its share of the room, small lists and those of failures more than others. */
export function cutLists(text: string, characters: number, handle: string | null): string | null {
  return cutSeveral(text, characters, handle) ?? cutRecords(text, characters, handle)
}

function cutSeveral(text: string, characters: number, handle: string | null): string | null {
  const whole = text.length > maxLength ? null : jsonIn(text)
  if (whole === null || parseJson(text.slice(...whole)) === undefined) return null
  const lists = listsBeside(text, whole)
  const listed = lists.reduce((sum, [start, end]) => sum + end - start, 0)
  if (lists.length < 2 || listed * 2 < text.length) return null
  const beside = (from: number, to: number) => briefBeside(text.slice(from, to), maxBetween, { cutList: cutInside })
  const between = lists.map(([start], index) => beside(lists[index - 1]?.[1] ?? whole[0], start))
  const after = beside(lists.at(-1)?.[1] ?? whole[0], whole[1])
  const around = text.slice(0, whole[0]).length + after.length + text.length - whole[1]
  const room = characters - around - between.reduce((sum, { length }) => sum + length, 0)
  const weights = lists.map(([start, end]) => Math.sqrt(end - start) * (saysWhatFailed(text.slice(start, end)) ? 3 : 1))
  const weight = weights.reduce((sum, one) => sum + one, 0)
  const pieces: string[] = [text.slice(0, whole[0])]
  for (const [index, [start, end]] of lists.entries()) {
    const share = Math.floor((room * (weights[index] as number)) / weight)
    const list = text.slice(start, end)
    const shown = share < minShare ? null : (cutRecords(list, share, handle) ?? compactJson(list, share))
    if (shown === null || shown.length > share) return null
    pieces.push(between[index] as string, shown)
  }
  return detached(pieces.join('') + after + text.slice(whole[1]))
}

/** Whether most records of a list are failures. */
function saysWhatFailed(list: string): boolean {
  const records = readRecords(list)?.records ?? []
  return notableRecords(records).filter(({ isFailure }) => isFailure).length * 2 > records.length
}

const maxLength = 1_000_000
const maxBetween = 400
const minShare = 100
const cutInside = (list: string, max: number) => cutRecords(list, max, null)
