import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandNames, typedCommand } from './composer-menu.tsx'
import {
  type DraftStorage,
  keepDraft,
  newerSaid,
  olderSaid,
  type Recalled,
  readDraft,
  withFilled,
  withReturned,
} from './composer-text.ts'

describe('a draft', () => {
  it('is stored per session and removed once empty', () => {
    const { storage, kept } = memory()
    keepDraft(storage, 'a', 'half a sentence')
    keepDraft(storage, 'b', 'another')
    expect([readDraft(storage, 'a'), readDraft(storage, 'b'), readDraft(storage, 'c')]).toStrictEqual([
      'half a sentence',
      'another',
      '',
    ])
    keepDraft(storage, 'a', '')
    expect([...kept.keys()]).toStrictEqual(['plimsoll-draft-b'])
  })

  it('is skipped if the browser forbids storage', () => {
    const refuse = () => {
      throw new DOMException('no', 'SecurityError')
    }
    const storage: DraftStorage = { getItem: refuse, setItem: refuse, removeItem: refuse }
    keepDraft(storage, 'a', 'text')
    expect(readDraft(storage, 'a')).toBe('')
  })
})

describe('withReturned', () => {
  it('puts queued text before newly typed text', () => {
    expect(withReturned(['one', 'two'], 'thr')).toBe('one\n\ntwo\n\nthr')
  })

  it('adds no empty lines', () => {
    expect([withReturned([], ''), withReturned(['one'], ' '), withReturned([], 'typed')]).toStrictEqual(['', 'one', 'typed'])
  })
})

function memory() {
  const kept = new Map<string, string>()
  const storage: DraftStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
  return { storage, kept }
}

it('text returned by a rewind is placed before newly typed text and replaces text returned by the last rewind', () => {
  const first = withFilled('read ships.txt', 'half a thought', '')
  expect([first, withFilled('read tides.txt', 'read ships.txt', 'read ships.txt')]).toEqual([
    'read ships.txt\n\nhalf a thought',
    'read tides.txt',
  ])
})

const empty: Recalled = { text: '', place: null }

describe('olderSaid', () => {
  it('starts with the last message', () => {
    expect(olderSaid(['one', 'two'], empty)).toStrictEqual({ text: 'two', place: { index: 1, draft: '' } })
  })

  it('shows a message that was sent several times in a row once', () => {
    const two = olderSaid(['one', 'two', 'two'], empty)
    expect(two && olderSaid(['one', 'two', 'two'], two)).toStrictEqual({ text: 'one', place: { index: 0, draft: '' } })
  })

  it('leaves typed text unchanged', () => {
    expect(olderSaid(['one'], { text: 'half a sent', place: null })).toBeNull()
    expect(olderSaid(['one', 'two'], { text: 'two, changed', place: { index: 1, draft: '' } })).toBeNull()
  })

  it('stops at the first message', () => {
    expect(olderSaid(['one'], { text: 'one', place: { index: 0, draft: '' } })).toBeNull()
    expect(olderSaid([], empty)).toBeNull()
  })
})

describe('newerSaid', () => {
  it('returns to the text that was in the field', () => {
    expect(newerSaid(['one'], { text: 'one', place: { index: 0, draft: '' } })).toStrictEqual(empty)
  })

  it('does nothing if no earlier message is shown', () => {
    expect(newerSaid(['one'], empty)).toBeNull()
  })

  it('undoes going back, step by step', () => {
    let steps = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }), (history) => {
        const shown: Recalled[] = [empty]
        for (;;) {
          const older = olderSaid(history, shown.at(-1) ?? empty)
          if (older === null) break
          shown.push(older)
          steps += 1
        }
        const texts = shown.map(({ text }) => text)
        const back = texts.slice(0, -1).reduce<Recalled[]>(
          (list) => {
            const newer = newerSaid(history, list[0] ?? empty)
            return newer === null ? list : [newer, ...list]
          },
          [shown.at(-1) ?? empty],
        )
        expect(back.map(({ text }) => text)).toStrictEqual(texts)
      }),
    )
    expect(steps).toBeGreaterThan(50)
  })
})

it.each([
  ['/compact', { name: 'compact', rest: '' }],
  [' /compact the  tests \n', { name: 'compact', rest: 'the  tests' }],
  ['/hand-over', { name: 'hand-over', rest: '' }],
  ['/usr/bin is a path', null],
  ['/unknown', null],
  ['/constructor', null],
  ['say /fork', null],
])('reads %j as a command, or as a message', (text, command) => expect(typedCommand(text)).toEqual(command))

it('completes commands while only their name is typed', () => {
  expect(commandNames('/re').map(([name]) => name)).toEqual(['rewind', 'resume'])
  expect([commandNames('/').length, commandNames('/usr/').length, commandNames('').length]).toEqual([8, 0, 0])
})
