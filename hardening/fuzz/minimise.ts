import { smallerJson } from './smaller-json.ts'
import type { FuzzInput } from './target.ts'

/** Whether an input still fails the same way. */
export type StillFails = (input: FuzzInput) => Promise<boolean>

/** Returns a smaller input with the same failure, by delta debugging: removes pieces from large to small, then simplifies characters. */
export async function minimise(found: FuzzInput, stillFails: StillFails, maxTries: number): Promise<FuzzInput> {
  let best = found
  let tries = 0
  const isOver = () => tries >= maxTries
  const attempt = async (input: FuzzInput): Promise<boolean> => {
    if (isOver()) return false
    tries += 1
    if (!(await stillFails(input))) return false
    best = input
    return true
  }
  for (let before = -1; before !== best.text.length && !isOver(); ) {
    before = best.text.length
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false
      for (const text of smallerJson(best.text))
        if (text.length < best.text.length && (await attempt({ ...best, text }))) {
          isSmaller = true
          break
        }
    }
    for (let size = Math.ceil(best.text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < best.text.length && !isOver(); ) {
        const text = best.text.slice(0, at) + best.text.slice(at + size)
        if (!(await attempt({ ...best, text }))) at += size
      }
    // Brackets and quotes can only be removed in pairs.
    for (const pair of pairs)
      for (let at = best.text.indexOf(pair[0]); at >= 0 && !isOver(); at = best.text.indexOf(pair[0], at + 1)) {
        const end = best.text.indexOf(pair[1], at + 1)
        if (end < 0) break
        await attempt({ ...best, text: best.text.slice(0, at) + best.text.slice(at + 1, end) + best.text.slice(end + 1) })
      }
  }
  for (let index = 0; index < best.choices.length; index += 1)
    for (const smaller of [0, 1, 2, (best.choices[index] as number) >> 8, (best.choices[index] as number) >> 4])
      if (smaller < (best.choices[index] as number) && (await attempt({ ...best, choices: best.choices.with(index, smaller) })))
        break
  for (let at = 0; at < best.text.length && best.text.length <= 400; at += 1)
    if (!/[a{}[\]",:\s]/.test(best.text[at] as string))
      await attempt({ ...best, text: `${best.text.slice(0, at)}a${best.text.slice(at + 1)}` })
  return best
}

const pairs: readonly (readonly [string, string])[] = [
  ['{', '}'],
  ['[', ']'],
  ['"', '"'],
]
