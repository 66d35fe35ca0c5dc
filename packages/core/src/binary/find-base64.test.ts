import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64, wrapped } from '../testing/base64.ts'
import { findBase64, mayHoldBase64 } from './filter.ts'

/** The text with every found stretch shown as `<length>`. */
function marked(text: string): string {
  let result = ''
  let position = 0
  for (const { start, end } of findBase64(text)) {
    result += `${text.slice(position, start)}<${end - start}>`
    position = end
  }
  return result + text.slice(position)
}

const data = base64(12_000)
const urlSafe = data.replaceAll('+', '-').replaceAll('/', '_')
const uri = `data:image/png;base64,${data}`

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Data wrapped as most encoders do, with something in front of each line. */
function prefixed(text: string, prefix: (index: number) => string): string {
  const lines = wrapped(text, 76).split('\n')
  return lines.map((line, index) => prefix(index) + line).join('\n')
}

describe('findBase64 finds', () => {
  const cases: readonly (readonly [name: string, text: string, expected: string])[] = [
    ['R002-7 an unbroken run', data, '<12000>'],
    ['R002-7 a data URI', uri, '<12022>'],
    ['R002-6 one character over the threshold', base64(10_001), '<10001>'],
    ['padding', `${base64(10_002)}==`, '<10004>'],
    ['Q-17 url-safe base64', urlSafe, '<12000>'],
    ['Q-17 MIME lines', wrapped(data, 76, '\r\n'), '<12314>'],
    ['Q-17 PEM lines with a line break at the end', `${wrapped(data, 64)}\n`, '<12188>'],
    ['lines of 60', wrapped(base64(12_020), 60), '<12220>'],
    ['lines of 44', wrapped(base64(12_020), 44), '<12293>'],
    ['lines of an odd width', wrapped(data, 77), '<12155>'],
    ['a short last line with padding', wrapped(`${base64(76 * 150 + 2)}==`, 76), '<11554>'],
    ['a short last line without padding', wrapped(`${base64(76 * 150)}Ab3+`, 76), '<11554>'],
    ['an unpadded last line', wrapped(base64(76 * 150 + 30), 76), '<11580>'],
    ['chunks with spaces between', wrapped(base64(12_020), 100, ' '), '<12140>'],
    ['white space around it', `\n  ${data}\n`, '<12004>'],
    ['one that passes the threshold with its white space', `${base64(10_000)}\n`, '<10001>'],
    ['a data URI of one repeated character', `data:audio/wav;base64,${'x'.repeat(10_000)}`, '<10022>'],
    ['a data URI with parameters', `data:text/html;charset=utf-8;name=a.html;base64,${data}`, '<12048>'],
    ['a wrapped data URI', `data:image/png;base64,${data.slice(0, 54)}\n${wrapped(data.slice(54), 76)}`, '<12180>'],
    ['a data URI wrapped after its head', `data:image/png;base64,\n${wrapped(data, 76)}`, '<12180>'],
    ['an image in Markdown', `# Plot\n![plot](${uri}) as asked.`, '# Plot\n![plot](<12022>) as asked.'],
    ['two images in HTML', `<img src="${uri}"><img src='${uri}'/>`, `<img src="<12022>"><img src='<12022>'/>`],
    ['a run after a label', `base64: ${data}, done`, 'base64: <12000>, done'],
    ['a quoted run', `"${data}"`, '"<12000>"'],
    ['a line between lines', `Saved.\n${data}\nDone`, 'Saved.\n<12000>\nDone'],
    [
      'wrapped lines between lines',
      `-----BEGIN DATA-----\n${wrapped(data, 64)}\n-----END DATA-----`,
      '-----BEGIN DATA-----\n<12187>\n-----END DATA-----',
    ],
    ['lines below a wider one', `Key:\n${base64(90)}\n${wrapped(data, 76)}`, `Key:\n${base64(90)}\n<12157>`],
    ['quoted lines', `x = """${wrapped(data, 76)}"""`, 'x = """<12157>"""'],
    ['a wrapped data URI in HTML', `<img src="data:image/png;base64,${wrapped(data, 76)}">`, '<img src="<12179>">'],
    ['full lines above a word', `${wrapped(base64(76 * 150), 76)}\nDone`, '<11549>\nDone'],
    ['full lines above a sentence', `${wrapped(base64(76 * 150), 76)}\nExit code: 0`, '<11549>\nExit code: 0'],
    ['one long line above a word with digits', `${data}\nResult42`, '<12000>\nResult42'],
    ['indented lines', `data: |\n  ${wrapped(data, 76, '\n  ')}\nnext: 1`, 'data: |\n  <12471>\nnext: 1'],
    [
      'lines with an arrow after their number',
      `1→-----BEGIN DATA-----\n${prefixed(data, (index) => `${index + 2}→`)}\n160→-----END DATA-----`,
      '1→-----BEGIN DATA-----\n2→<12681>\n160→-----END DATA-----',
    ],
    ['lines numbered by cat -n', prefixed(data, (index) => `${String(index + 1).padStart(6)}\t`), '     1\t<13256>'],
    ['lines numbered by grep -n', prefixed(data, (index) => `${index + 1}:`), '1:<12679>'],
    ['lines numbered with a bar', prefixed(data, (index) => `${index + 1} | `), '1 | <12993>'],
    ['quoted lines of a mail', `Hi,\n${prefixed(data, () => '> ')}\n\nBye`, 'Hi,\n> <12471>\n\nBye'],
    ['R002-7 a short fragment again and again', 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(500), '<12000>'],
    ['R002-7 text of three letters, its base64 without digits', 'QWIx'.repeat(5000), '<20000>'],
    ['R002-7 the alphabet again and again', alphabet.repeat(200), '<12800>'],
    ['three files one after another', `${data}=\n${data}=\n${data}`, '<12001>\n<12001>\n<12000>'],
    ['a data URI after a long text', `${'some words, '.repeat(9000)}${uri}`, `${'some words, '.repeat(9000)}<12022>`],
    ['one between lone surrogates', `\ud800${data}\udc00`, '\ud800<12000>\udc00'],
  ]
  it.each(cases)('%s', (_name, text, expected) => {
    expect(marked(text)).toBe(expected)
  })
})

describe('R002-35 findBase64 leaves alone', () => {
  const cases: readonly (readonly [name: string, text: string])[] = [
    ['R002-6 exactly the threshold', base64(10_000)],
    ['a short data URI in a long text', `${'some words, '.repeat(2000)}data:image/png;base64,${base64(9000)}`],
    ['Q-17 ten thousand letters x', 'x'.repeat(20_000)],
    ['Q-17 an SSE log', 'data: {"id":"chatcmpl-1","choices":[{"delta":{"content":"Hi"}}]}\n\n'.repeat(500)],
    ['a line of base64-looking SSE data', `data: ${'x'.repeat(12_000)}`],
    ['hexadecimal in small letters', '0123456789abcdef'.repeat(1000)],
    ['hexadecimal in capitals', '0123456789ABCDEF'.repeat(1000)],
    ['digits', '1234567890'.repeat(2000)],
    ['a table of numbers', '12,345,6.78\n'.repeat(2000)],
    ['prose without punctuation', 'The quick brown Fox jumps over 13 lazy dogs '.repeat(400)],
    ['a listing of folders', Array.from({ length: 900 }, (_, index) => `packages/Core${index}/src`).join('\n')],
    ['identifiers of one width', Array.from({ length: 900 }, (_, index) => base64(21, index + 1)).join('\n')],
    ['checksums, each with its padding', Array.from({ length: 300 }, (_, index) => `${base64(43, index + 1)}=`).join('\n')],
    ['integrity hashes', Array.from({ length: 200 }, (_, index) => `sha512-${base64(86, index + 1)}==`).join('\n')],
    ['one name again and again', 'createUserAccount2'.repeat(1000)],
    ['one path again and again', '/home/User1/some/folder'.repeat(1000)],
    ['letters x after a few others', `A1${'x'.repeat(20_000)}`],
    ['letters without digits that encode nothing', 'aB'.repeat(10_000)],
    ['a genetic sequence', wrapped('GATTACAC'.repeat(2000), 60)],
    ['an SVG data URI, which is text', `data:image/svg+xml;utf8,${'<path d="M0 0L1 1"/>'.repeat(800)}`],
    ['a source map', `{"mappings":"${'AAAA,SAASA,IAAI;CACX,'.repeat(800)}"}`],
    ['white space', ' \n'.repeat(10_000)],
    ['Chinese', '图片生成成功'.repeat(3000)],
    ['nothing', ''],
  ]
  it.each(cases)('%s', (_name, text) => {
    expect(findBase64(text)).toEqual([])
  })
})

it('finds base64 of any length over the threshold wherever it stands, and nothing else', () => {
  let wrappedOnes = 0
  let embedded = 0
  const surroundings = fc.constantFrom('', 'Saved: ', '<img src="', '\n'.repeat(40), 'a sentence, with commas. '.repeat(150))
  fc.assert(
    fc.property(
      fc.integer({ min: 10_004, max: 30_000 }),
      fc.integer({ min: 1 }),
      fc.constantFrom(0, 60, 64, 76),
      surroundings,
      fc.constantFrom('', '" alt="">', '\n\nExit code: 0', '\nMore text, of the ordinary kind.'.repeat(150)),
      (length, seed, width, before, after) => {
        const run = base64(length - (length % 4), seed)
        // A last line of a few characters might be a word below the data, and is then left as one.
        fc.pre(width === 0 || run.length % width >= 8)
        const block = width === 0 ? run : wrapped(run, width)
        if (width > 0) wrappedOnes += 1
        if (before.trim() !== '' && after !== '') embedded += 1
        const text = before + block + after
        const whole = text.trim() === block
        expect(marked(text)).toBe(whole ? `<${text.length}>` : `${before}<${block.length}>${after}`)
      },
    ),
  )
  expect([wrappedOnes > 10, embedded > 10]).toEqual([true, true])
})

describe('mayHoldBase64', () => {
  const json = (value: unknown) => JSON.stringify(value)
  const cases: readonly (readonly [name: string, text: string, expected: boolean])[] = [
    ['a string of base64', json({ data }), true],
    ['wrapped base64, its line breaks escaped', json({ data: wrapped(data, 76, '\r\n') }), true],
    ['base64 with escaped slashes', json({ data }).replaceAll('/', '\\/'), true],
    ['JSON in JSON in JSON', json({ a: json({ b: json({ data: wrapped(data, 64) }) }) }), true],
    [
      'a threshold-sized data URI after other fields',
      json({ a: 'words, '.repeat(333), uri: `data:a/b;base64,${base64(9986)}` }),
      true,
    ],
    ['many numbers', json(Array.from({ length: 9000 }, (_, index) => index)), false],
    ['many small records', json(Array.from({ length: 900 }, (_, index) => ({ id: index, name: `name ${index}` }))), false],
  ]
  it.each(cases)('%s', (_name, text, expected) => {
    expect(mayHoldBase64(text)).toBe(expected)
  })
})
