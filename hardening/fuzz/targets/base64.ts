import { createBinaryFilter, filterBinaryValue, findBase64 } from '../../../packages/core/src/binary/filter.ts'
import { modelStrings } from '../../../packages/core/src/strings/specification.ts'
import { createRandom } from '../random.ts'
import { holds, type Target } from '../target.ts'

const random = createRandom(1, 'noise')
const noise = Buffer.from(Array.from({ length: 9000 }, () => random.below(256))).toString('base64')

/** Detection of base64. A few symbols in the input expand to long runs, which no small mutation could produce. */
export const base64Target: Target = {
  name: 'base64',
  form: 'text',
  choices: 1,
  longest: 500,
  slowness: 8,
  covers: ['packages/core/src/binary/'],
  seeds: () => [
    'ordinary text\nwith lines\n',
    'data:image/png;base64,①',
    'before ② after',
    '{"image":"①","path":"a.png"}\n{"x":1}',
    '③③ and words ④ words',
    '{"a":[{"data":"③"}],"base64":"xx"}',
    '⑤⑤⑤⑤⑤⑤⑤⑤⑤⑤⑤⑤',
    `⑥\n${'a'.repeat(100)}`,
    '"③\\n③\\n③"',
  ],
  words: [
    '①',
    '②',
    '③',
    '④',
    '⑤',
    '⑥',
    '⑦',
    'data:image/png;base64,',
    '"data":"',
    '{"',
    '"}',
    '==',
    '\n',
    '\\n',
    '\\/',
    '[LARGE_DATA_FILTERED: 9.8KB]',
  ],
  maxSteps: 300,
  lengthOf: (text) => expand(text).length,
  check({ text: short, choices: [width = 0] }) {
    const text = expand(short)
    const spans = findBase64(text)
    let before = 0
    for (const { start, end } of spans) {
      holds(start >= before && end <= text.length && end - start > 10_000, 'finds are in order, inside, and long')
      before = end
    }
    const filter = createBinaryFilter(modelStrings)
    const filtered = filter.text(text)
    holds(filtered === text || filter.removed() > 0, 'removed data is counted')
    if (!mayBeFiltered(text)) holds(filtered === text, 'ordinary text is unchanged')
    const again = createBinaryFilter(modelStrings).text(filtered)
    holds(again === filtered, 'filtering twice changes nothing more')
    const value = { text, list: [text, { data: text.length }] }
    filterBinaryValue(value, modelStrings)
    holds(value.text === text && value.list[0] === text, 'the input is not changed')
    // Repetitive text is not data, and may look like data in one form and not in another.
    if (!/[⑤⑦]/.test(short)) checkRewrapped(text, spans, 60 + 4 * (width % 16))
  },
}

/** A find is still found with other line breaks, unless the lines are so short that they may be a list. */
function checkRewrapped(text: string, spans: ReturnType<typeof findBase64>, width: number): void {
  for (const { start, end } of spans) {
    const found = text.slice(start, end)
    if (found.startsWith('data:') || !/^[\sA-Za-z0-9+/]+={0,2}\s*$/.test(found)) continue
    const bare = found.replaceAll(/\s+/g, '')
    if (bare.length < 11_000 || bare.length % 4 > 0) continue
    holds(findBase64(bare).length === 1, 'a find is still found on a single line')
    holds(
      findBase64(bare.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n')).length === 1,
      'a find is still found with other line breaks',
    )
  }
}

function mayBeFiltered(text: string): boolean {
  if (/"[A-Za-z_0-9-]{1,60}"\s*:/.test(text)) return true
  return text.length > 10_000 && /[A-Za-z0-9+/=_\-\s\\]{1024}/.test(text)
}

function expand(text: string): string {
  const long: Readonly<Record<string, string>> = {
    '①': noise,
    '②': noise.slice(0, 11_000).replaceAll(/.{76}/g, '$&\n'),
    '③': noise.slice(0, 4000),
    '④': `${noise.slice(0, 1500)}=`,
    '⑤': 'ABCdef0123+/'.repeat(90),
    '⑥': noise.slice(0, 10_500).replaceAll(/.{64}/g, '$&\r\n'),
    '⑦': 'some ordinary words that go on '.repeat(40),
  }
  return text.replaceAll(/[①-⑦]/g, (sign) => long[sign] ?? sign).slice(0, 30_000)
}
