import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CutRoom, cutOutput } from './cut-output.ts'

/** 400 characters besides the mark. */
const room: CutRoom = {
  characters: 470,
  headShare: 0.45,
  tailShare: 0.25,
  tightBelow: 0,
  cutPaths: 80,
  handle: '0123456789ab',
  hasLines: true,
}
const numbered = (count: number, special: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, index) => special[index + 1] ?? `line ${index + 1}`).join('\n')

/** Nineteen paths of the first length, and one of each other. */
function longPaths(length: number, ...others: readonly number[]): readonly string[] {
  const path = (name: string, size: number) => `${name.padEnd(size - 3, 'x')}.ts`
  return [...Array.from({ length: 19 }, (_, index) => path(`${index}x`, length)), ...others.map((size) => path('z', size))]
}

describe('cutOutput', () => {
  it('keeps head, tail, salient lines with their numbers, paths and the handle', () => {
    const text = numbered(200, {
      90: 'TypeError: boom is not a function',
      95: 'export function compute(a: number) {',
      100: 'see src/deep/file.ts for more',
      110: 'done with src/deep/file.ts and src/other.ts',
    })
    expect(cutOutput(text, room)?.split('\n')).toEqual([
      ...Array.from({ length: 18 }, (_, index) => `line ${index + 1}`),
      '[cut]',
      '90: TypeError: boom is not a function',
      '95: export function compute(a: number) {',
      '100: see src/deep/file.ts for more',
      'paths: src/other.ts',
      '[shown 1-18, 193-200; recall 0123456789ab]',
      ...Array.from({ length: 8 }, (_, index) => `line ${index + 193}`),
    ])
  })

  it('cuts one very long line between characters', () => {
    const text = '😀'.repeat(2000)
    const cut = cutOutput(text, room) as string
    expect(cut.isWellFormed()).toBe(true)
    expect(cut.split('\n')).toEqual(['😀'.repeat(90), '[cut]', '[3,720 characters cut; recall 0123456789ab]', '😀'.repeat(50)])
  })

  it('finds the failure inside a log that is one line of JSON', () => {
    const text = JSON.stringify({ stdout: numbered(900, { 400: 'FAIL src/tax.test.ts: expected 41 to be 42' }) })
    expect(cutOutput(text, room)).toContain('\nFAIL src/tax.test.ts: expected 41 to be 42\n')
  })

  it.each([
    ['a text within its room', numbered(40)],
    [
      'a text hardly longer than its room',
      Array.from({ length: 30 }, (_, index) => `error: ${index}`)
        .join('\n')
        .padEnd(430, 'x'),
    ],
  ])('leaves %s alone', (_, text) => {
    expect(cutOutput(text, room)).toBeNull()
  })

  it('does not number lines of an extract, which differ from those of the original', () => {
    const cut = cutOutput(numbered(200, { 90: 'Error: boom' }), { ...room, hasLines: false }) as string
    expect(cut).toContain('\nError: boom\n')
    expect(cut).toMatch(/^\[[\d,]+ characters cut; recall 0123456789ab\]$/m)
  })

  const a = 'a'.repeat(5000)
  const cutBetween = (characters: string) => `[${characters} characters cut; recall 0123456789ab]`

  it.each<[name: string, text: string, changed: Partial<CutRoom>, expected: readonly string[]]>([
    ['for an uneven number of characters', a, { characters: 471 }, [a.slice(-180), '[cut]', cutBetween('4,720'), a.slice(-100)]],
    ['without a head', a, { headShare: 0 }, ['[cut]', cutBetween('4,900'), a.slice(-100)]],
    ['without a tail', a, { tailShare: 0 }, [a.slice(-180), '[cut]', cutBetween('4,820'), '']],
    ['with an invalid head share', a, { headShare: Number.NaN }, ['[cut]', cutBetween('4,900'), a.slice(-100)]],
    ['with an invalid tail share', a, { tailShare: Number.NaN }, [a.slice(-180), '[cut]', cutBetween('4,820'), '']],
    ['with an infinite head share', a, { headShare: Number.POSITIVE_INFINITY }, ['[cut]', cutBetween('4,900'), a.slice(-100)]],
    ['with a negative head share', a, { headShare: -1 }, ['[cut]', cutBetween('4,900'), a.slice(-100)]],
    ['with a head share above one', a, { headShare: 2 }, [a.slice(-360), '[cut]', cutBetween('4,540'), a.slice(-100)]],
  ])('cuts one very long line %s', (_name, text, changed, expected) => {
    expect(cutOutput(text, { ...room, ...changed })?.split('\n')).toEqual(expected)
  })

  /** A text of two or three lines, the last ones of these lengths, including their newlines. */
  const ending = (...lengths: readonly number[]) => `${a}\n${lengths.map((length) => `${'z'.repeat(length - 1)}\n`).join('')}`
  it.each<[name: string, text: string, head: string, notice: string, tail: string]>([
    ['a line that exactly fills the room', `${a.slice(-179)}\n${a}`, a.slice(-179), cutBetween('4,900'), a.slice(-100)],
    [
      'all of the room if a line is one character longer',
      `${a.slice(-180)}\n${a}`,
      a.slice(-180),
      cutBetween('4,901'),
      a.slice(-100),
    ],
    ['a line of more than half the room', `${a.slice(-90)}\n${a}`, a.slice(-90), cutBetween('4,900'), a.slice(-100)],
    [
      'all of the room if a line fills just half of it',
      `${a.slice(-89)}\n${a}`,
      `${a.slice(-89)}\n${a.slice(-90)}`,
      cutBetween('4,810'),
      a.slice(-100),
    ],
  ])('ends the head after %s', (_name, text, head, notice, tail) => {
    expect(cutOutput(text, room)).toBe([head, '[cut]', notice, tail].join('\n'))
  })

  it.each<[name: string, text: string, notice: string, tail: string]>([
    ['a line that exactly fills the room', ending(45, 55), cutBetween('4,821'), ending(45, 55).slice(-100)],
    ['the next line if one starts just before the room', ending(41, 60), cutBetween('4,862'), ending(41, 60).slice(-60)],
    ['a line of more than half the room', ending(51), cutBetween('4,821'), ending(51).slice(-51)],
    ['all of the room if it has eighty characters of the line above', ending(20), cutBetween('4,741'), ending(20).slice(-100)],
    ['a line if it has fewer of the line above', ending(21), cutBetween('4,821'), ending(21).slice(-21)],
  ])('starts the tail with %s', (_name, text, notice, tail) => {
    expect(cutOutput(text, room)).toBe([a.slice(-180), '[cut]', notice, tail].join('\n'))
  })

  it.each<[name: string, text: string, changed: Partial<CutRoom>, notice: string]>([
    ['if head and tail are complete lines', numbered(200), {}, '[shown 1-23, 190-200; recall 0123456789ab]'],
    ['but not if the head ends within a line', `${a}\n${numbered(200)}`, {}, cutBetween('6,414')],
    ['but not if the tail starts within a line', `${numbered(200)}\n${a}`, {}, cutBetween('6,417')],
    ['but not without a head', numbered(200), { headShare: 0 }, cutBetween('1,593')],
    ['but not if they are not lines of the original', numbered(200), { hasLines: false }, cutBetween('1,418')],
  ])('names the shown lines %s', (_name, text, changed, notice) => {
    const cut = cutOutput(text, { ...room, ...changed }) as string
    expect(cut.slice(cut.indexOf('[cut]')).split('\n')[1]).toBe(notice)
  })

  it.each<[name: string, paths: readonly string[], max: number, expected: string]>([
    ['up to the given number', ['src/a.ts', 'src/b.ts', 'src/c.ts'], 2, 'src/a.ts src/b.ts and at least 1 more'],
    ['all if there are not more than that', ['src/a.ts', 'src/b.ts'], 2, 'src/a.ts src/b.ts'],
    ['none if the number is zero', ['src/a.ts'], 0, ''],
    ['as many as fit in half of the room', longPaths(60, 60), 80, `${longPaths(60).slice(0, 4).join(' ')} and at least 16 more`],
  ])('lists paths from the cut text: %s', (_name, paths, cutPaths, expected) => {
    const text = `${a} ${paths.join(' ')} ${a}`
    const cut = cutOutput(text, { ...room, cutPaths }) ?? ''
    expect(/^paths: (.*)$/m.exec(cut)?.[1] ?? '').toBe(expected)
    expect(cut.length).toBeLessThanOrEqual(room.characters)
  })

  it('lists a file once that is named from the root and from its folder, not two that end alike', () => {
    const text = `${a} /srv/app/src/a.ts src/a.ts app/src/a.ts lib/src/b.ts src/b.ts ${a}`
    expect(cutOutput(text, room)).toContain('\npaths: /srv/app/src/a.ts lib/src/b.ts src/b.ts\n')
  })

  it('divides a small room to the character', () => {
    const words = Array.from({ length: 60 }, (_, index) => `word ${index}`)
    const files = Array.from({ length: 30 }, (_, index) => `see ab${index}.ts`)
    const text = [...words.slice(0, 40), ...files, ...words].join('\n')
    expect(cutOutput(text, { ...room, characters: 211, headShare: 0.05, tailShare: 0.05 })?.split('\n')).toEqual([
      '[cut]',
      'see ab0.ts',
      'see ab1.ts',
      'see ab2.ts',
      'see ab3.ts',
      'see ab4.ts',
      'paths: ab5.ts ab6.ts ab7.ts ab8.ts ab9.ts ab10.ts ab11.ts and at least 18 more',
      '[1,127 characters cut; recall 0123456789ab]',
      '59',
    ])
  })

  it('lists no path that a kept line already names', () => {
    const text = numbered(200, { 90: 'Error: no src/a.ts', 91: 'Error: no src/b.ts', 92: `${a} src/a.ts src/b.ts src/c.ts` })
    const cut = cutOutput(text, room) ?? ''
    expect(cut).toContain('\n90: Error: no src/a.ts\n91: Error: no src/b.ts\n92:  src/a.ts src/b.ts src/c.ts\n')
    expect(cut).not.toContain('paths:')
  })

  it('names the codes and tests of which no line fits', () => {
    const text = Array.from({ length: 60 }, (_, index) => `src/a.py:${index}:1: E${100 + index} ${'word '.repeat(20)}`).join('\n')
    const cut = cutOutput(text, { ...room, characters: 1500 }) ?? ''
    const named = Array.from({ length: 60 }, (_, index) => `E${100 + index}`).filter((code) => cut.includes(code))
    const others = Number(/ and (\d+) more$/m.exec(cut)?.[1] ?? 0)
    expect(named.length).toBeGreaterThan(30)
    expect(named.length + others).toBe(60)
  })

  it('shows a text whole whose repeated lines are folded if that fits, to the character', () => {
    const text = [...Array.from({ length: 30 }, () => 'waiting for the server'), 'started'].join('\n')
    expect(cutOutput(text, { ...room, characters: 122 })?.split('\n')).toEqual([
      'waiting for the server',
      '... 28 more lines like it ...',
      'waiting for the server',
      'started',
      '[28 lines folded; recall 0123456789ab]',
    ])
    expect(cutOutput(text, { ...room, characters: 121 })?.split('\n')).toEqual(['[cut]', cutBetween('76'), 'started'])
    expect(cutOutput(text, { ...room, characters: 60 })?.split('\n')).toEqual(['[cut]', cutBetween('83'), ''])
  })

  it('cuts a list of records by records', () => {
    const list = Array.from({ length: 80 }, (_, id) => ({ id, state: id === 40 ? 'failed' : 'ok', name: `part-${id}` }))
    const cut = cutOutput(JSON.stringify(list), { ...room, characters: 900 })
    expect(JSON.parse(cut ?? '')).toContainEqual({ id: 40, state: 'failed', name: 'part-40' })
  })

  it('cuts only if that saves eighty characters', () => {
    const lengths = [540, 541, 542, 543, 544].map(
      (characters) => cutOutput('a'.repeat(600), { ...room, characters, headShare: 0.6, tailShare: 0.4 })?.length ?? null,
    )
    expect(lengths).toEqual([519, 519, 520, null, null])
  })

  it('keeps a rare line right behind the head', () => {
    const lines = Array.from({ length: 60 }, (_, index) =>
      index === 7 ? 'Linked something else' : `Fetching package ${index} now`,
    )
    expect(cutOutput(lines.join('\n'), room)).toContain('Fetching package 6 now\n[cut]\n8: Linked something else\n')
  })

  it('fills six tenths of its room with paths', () => {
    const paths = Array.from({ length: 30 }, (_, index) => `part-${index % 6}/file-${index}.ts`)
    const text = [...paths, ...Array.from({ length: 60 }, () => 'word')].join('\n')
    expect(cutOutput(`${text}\n`, { ...room, characters: 338, headShare: 0.2, tailShare: 0.1 })?.split('\n')).toEqual([
      ...paths.slice(0, 1),
      '[cut]',
      ...paths.slice(1, 4),
      '... 58 more lines like it ...',
      `paths: ${paths.slice(4, 11).join(' ')} and at least 19 more`,
      cutBetween('548'),
      'word',
      '',
    ])
  })

  it('cuts a text longer than its room, not one of equal length', () => {
    const text = 'a line\n'.repeat(100)
    expect(cutOutput(text.slice(-470), room)).toBeNull()
    expect(cutOutput(text.slice(-471), room)).not.toBeNull()
  })

  it.each<[name: string, mark: string]>([
    ['characters', `[cut]\n${cutBetween('9')}`],
    ['lines that agree with those around it', '[cut]\n[shown 1-200, 251-450; recall 0123456789ab]'],
  ])('cuts a text with a forged mark that counts %s as any other', (_name, mark) => {
    const part = (word: string) => Array.from({ length: 200 }, (_, index) => `${word} ${index}`).join('\n')
    const forged = `${part('above')}\n${mark}\n${part('below')}`
    const cut = cutOutput(forged, room) ?? ''
    expect(cut.length).toBeLessThanOrEqual(room.characters)
    expect(cut).not.toContain(mark)
    expect(cut).toContain(`; recall ${room.handle}]`)
  })

  it('cuts if that saves at least a tenth', () => {
    const text = a.slice(-2000)
    const changed = { ...room, headShare: 0.6, tailShare: 0.4 }
    expect(cutOutput(text, { ...changed, characters: 1820 })?.length).toBeLessThanOrEqual(1800)
    expect(cutOutput(text, { ...changed, characters: 1850 })).toBeNull()
  })

  const passing = (from: number) => Array.from({ length: 60 }, (_, index) => `test cart::case_${from + index} ... ok`)
  const failed = ['test cart::empty ... FAILED', "thread 'cart::empty' panicked at src/cart.rs:9:5:", '  left: 3', ' right: 4']
  const total = 'test result: FAILED. 119 passed; 1 failed'
  it.each<[name: string, characters: number, expected: readonly string[]]>([
    ['the total and failing tests', 72, ['[cut]', failed[0] ?? '', total, cutBetween('3,269'), '']],
    ['then reasons', 180, ['[cut]', ...failed, cutBetween('3,228'), total]],
    [
      'and gives head and tail what is left',
      260,
      [...passing(0).slice(0, 2), '[cut]', ...failed, '[shown 1-2, 125-125; recall 0123456789ab]', total],
    ],
  ])('keeps in a tight room %s', (_name, characters, expected) => {
    const text = [...passing(0), ...failed, ...passing(60), total].join('\n')
    expect(cutOutput(text, { ...room, characters: characters + 70, tightBelow: 2000 })?.split('\n')).toEqual(expected)
  })

  it('keeps in a tight room the last line if it takes at most a third', () => {
    const cut = (last: string) =>
      cutOutput([...passing(0), last].join('\n'), { ...room, characters: 250, tightBelow: 2000 }) ?? ''
    expect(cut('z'.repeat(59))).toMatch(/\]\nz{59}$/)
    expect(cut('z'.repeat(60))).toMatch(/\]\nz{42}$/)
  })

  it('shows a text that fits without the blank lines at its end', () => {
    expect(cutOutput(`${total}\n \n`, { ...room, characters: total.length })).toBe(total)
  })

  it('is tight below the number of characters, not at it', () => {
    const text = [...passing(0), ...failed, ...passing(60), total].join('\n')
    const isNumbered = (tightBelow: number) => /^\d+: /m.test(cutOutput(text, { ...room, characters: 370, tightBelow }) ?? '')
    expect([299, 300, 301].map(isNumbered)).toEqual([true, true, false])
  })

  it('shows something in a tight room without a head and a tail', () => {
    const text = `${'word\n'.repeat(10)}${'word '.repeat(1000)}`
    expect(cutOutput(text, { ...room, headShare: 0, tailShare: 0, tightBelow: 2000 })).toMatch(/^word\nword\n/)
  })

  it('lists no files of tests that passed', () => {
    const tests = Array.from({ length: 100 }, (_, index) => `PASS test/part-${index}.test.ts`)
    const cut = cutOutput([...tests, 'see docs/notes.md', numbered(60)].join('\n'), room)
    expect(cut).toContain('\n101: see docs/notes.md\n')
    expect(cut).not.toContain('paths:')
  })

  it('judges whose frame it is by the first 500 characters of a line', () => {
    const frame = `      at own ${'y'.repeat(250)} src/late.ts ${'y'.repeat(300)} /node_modules/a`
    expect(cutOutput(numbered(200, { 90: frame }), room)).toContain('paths: src/late.ts ')
  })

  it('lists paths that just fit', () => {
    const text = ['a'.repeat(5000), 'src/a.ts src/b.ts src/long/er.ts', 'a'.repeat(5000)].join('  ')
    const paths = (characters: number) =>
      /^paths: .*$/m.exec(cutOutput(text, { ...room, headShare: 0.1, tailShare: 0.1, characters }) ?? '')?.[0]
    expect([111, 112].map(paths)).toEqual(['paths: src/a.ts and at least 2 more', 'paths: src/a.ts src/b.ts src/long/er.ts'])
  })

  it('names a failing test once, beside its reason, and shortens the ends for many reasons', () => {
    const names = Array.from({ length: 12 }, (_, index) => `adds ${index}`)
    const runs = names.map((name) => `    ✕ ${name} (3 ms)`)
    const reasons = names.flatMap((name, index) => [`  ● sums › ${name}`, '', `    Expected: ${index + 100}`, `    Received: ${index + 900}`, ...Array.from({ length: 9 }, () => '      code'), '']) // biome-ignore format: one line
    const text = [...Array.from({ length: 99 }, (_, index) => `    ✓ passes ${index}`), ...runs, ...reasons, ...Array.from({ length: 60 }, (_, index) => `    ✓ passes too ${index}`)].join('\n') // biome-ignore format: one line
    const cut = cutOutput(text, { ...room, characters: 3000 }) ?? ''
    for (const [index, name] of names.entries()) {
      expect(cut.split(name === 'adds 1' ? 'adds 1\n' : name)).toHaveLength(2)
      expect([cut.includes(`Expected: ${index + 100}`), cut.includes(`Received: ${index + 900}`)]).toEqual([true, true])
    }
  })

  it('lists no files of libraries from a stack trace', () => {
    const frames = ['/rustc/5980/library/core/src/panicking.rs:80:14', './src/lib.rs:15:9', '/app/node_modules/a/b.js:1:1']
    const text = numbered(200, Object.fromEntries(frames.map((frame, index) => [90 + index, `      at ${frame}${a}`])))
    const cut = cutOutput(text, room) ?? ''
    expect(cut).toContain('at ./src/lib.rs:15:9')
    expect(cut).not.toContain('/rustc')
  })

  it('keeps to its room, so that it is not cut again, is shorter, begins as the text does, and never throws', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('error: x', 'src/a/b.ts', 'def f():', ''),
    )
    const texts = fc.array(line, { minLength: 10, maxLength: 80, size: 'max' }).map((lines) => lines.join('\n'))
    const shares = fc.constantFrom(0.45, 0.25, 0, 1, Number.NaN)
    let cuts = 0
    fc.assert(
      fc.property(
        texts,
        shares,
        shares,
        fc.nat(2000),
        fc.constantFrom(0, 2000),
        (text, headShare, tailShare, characters, tightBelow) => {
          const given = { ...room, headShare, tailShare, characters, tightBelow }
          const cut = cutOutput(text, given)
          if (cut === null) return
          cuts += 1
          expect(cut.length).toBeLessThan(text.length)
          if (characters >= 80) expect(cut.length).toBeLessThanOrEqual(characters)
          expect(text.startsWith(cut.slice(0, cut.indexOf('[cut]')).replace(/\n$/, ''))).toBe(true)
        },
      ),
    )
    expect(cuts).toBeGreaterThan(4)
  })
})
