import { createTruncator, fits, type Limit, truncate } from '../../../packages/core/src/cut/truncate.ts'
import { modelStrings } from '../../../packages/core/src/strings/specification.ts'
import { countCodePoints, countLines } from '../../../packages/core/src/text/lines.ts'
import { holds, type Target } from '../target.ts'

const strategies = ['head_tail', 'head_only', 'collapse', 'structured'] as const

/** Truncation to a limit. */
export const truncationTarget: Target = {
  name: 'truncation',
  form: 'text',
  choices: 5,
  longest: 6000,
  covers: ['packages/core/src/cut/'],
  seeds: () => [
    'short',
    Array.from({ length: 60 }, (_, index) => `line ${index}: ${index % 7 === 0 ? 'Error: no such file' : 'ok'}`).join('\n'),
    'x'.repeat(900),
    '😀中文'.repeat(200),
    JSON.stringify(Array.from({ length: 30 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', 'b'] }))),
    `id,name\n${Array.from({ length: 50 }, (_, row) => `${row},"n ${row}"`).join('\n')}`,
    `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n${'+added\n-gone\n same\n'.repeat(20)}`,
    `src/a.ts:12:const a = 1\nsrc/b.ts-13-  context\n--\n${'src/c.ts:1:match\n'.repeat(40)}`,
    '\x1b[31mred\x1b[0m\rover\b\n'.repeat(30),
    `head\n\n\n... [截断了 400 字符 / 20 行] ...\n\n[shown 1-2, 22-30; recall 0123456789ab]\nError: x\ntail\n`.repeat(3),
  ],
  words: [
    '\n\n... [截断 10 字符] ...\n\n',
    '... [截断 3 行] ...',
    '\n... [显示前3个结果，共9个] ...\n',
    '[shown 1-2, 5-9; recall 0123456789ab]\n',
    'Error: ',
    'FAILED ',
    '@@ -1 +1 @@\n',
    '\r\n',
  ],
  maxSteps: 4000,
  check({ text, choices: [chars = 0, lines = 0, strategy = 0, flags = 0, cut = 0] }) {
    const limit: Limit = {
      maxChars: chars % 4 === 0 ? chars % 100 : chars % 2500,
      maxLines: lines % 3 === 0 ? null : lines % 60,
      strategy: strategies[strategy % strategies.length] as (typeof strategies)[number],
      by: flags & 1 ? 'cap' : 'tool',
      ...(flags & 2 ? { salient: false } : {}),
      ...(flags & 4 ? { matches: true } : {}),
      ...(flags & 8 ? { context: flags % 5 } : {}),
      strings: modelStrings,
    }
    const { text: shown, charsBefore, charsAfter, limitedBy, handle } = truncate(text, limit)
    holds(charsBefore === countCodePoints(text) && charsAfter === countCodePoints(shown), 'character counts are correct')
    holds((limitedBy === null) === fits(text, limit), 'a text is cut exactly if it does not fit')
    if (limitedBy === null) {
      holds(shown === text, 'a text that fits is unchanged')
    } else {
      holds(charsAfter <= limit.maxChars, 'no result is longer than its limit')
      if (limit.matches !== true) {
        holds(charsAfter < charsBefore, 'a cut text is shorter')
        holds(limit.maxLines === null || countLines(shown) <= limit.maxLines, 'no result has more lines than its limit')
      }
    }
    if (text.isWellFormed()) holds(shown.isWellFormed(), 'no character is split')
    holds(/^[0-9a-f]{12}$/.test(handle), 'a handle has 12 hexadecimal digits')
    const again = truncate(shown, limit)
    holds(again.text === shown, 'cutting twice changes nothing more')
    const truncator = createTruncator(limit)
    const place = cut % (text.length + 1)
    truncator.write(text.slice(0, place))
    truncator.write(text.slice(place))
    const pieces = truncator.end()
    holds(pieces.text === shown && pieces.handle === handle, 'the result does not depend on chunks')
    if (limitedBy !== null && limit.strategy === 'head_tail' && limit.matches !== true) checkMarker(shown, text)
  },
}

/** A new marker must state how many characters are gone: the difference between the text and what is kept around it. */
function checkMarker(shown: string, text: string): void {
  if (text.includes('截断')) return
  const marker = /\n\n\.\.\. \[截断了? (\d+) 字符(?: \/ (\d+) 行)?\] \.\.\.\n\n/.exec(shown)
  if (marker === null) return
  const head = shown.slice(0, marker.index)
  holds(text.startsWith(head), 'the head is verbatim')
  let tail = shown.slice(marker.index + marker[0].length)
  // Important removed lines are repeated between the marker and the tail.
  const gone = countCodePoints(text) - countCodePoints(head) - Number(marker[1])
  tail = [...tail].slice(-gone).join('')
  holds(gone >= 0 && (gone === 0 || text.endsWith(tail)), 'the marker states how many characters are gone')
}
