import { describe, expect, it } from 'vitest'
import { type DraftStorage, keepDraft, readDraft, withFilled, withReturned } from './draft.ts'

describe('drafts', () => {
  it('are kept for each session, until there is nothing to keep', () => {
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

  it('are done without where the browser forbids storage', () => {
    const refuse = () => {
      throw new DOMException('no', 'SecurityError')
    }
    const storage: DraftStorage = { getItem: refuse, setItem: refuse, removeItem: refuse }
    keepDraft(storage, 'a', 'text')
    expect(readDraft(storage, 'a')).toBe('')
  })
})

describe('withReturned', () => {
  it('puts what was queued before what was typed since', () => {
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

it('what a rewind gives back stands before what is being typed, and takes the place of what the last one gave back', () => {
  const first = withFilled('read ships.txt', 'half a thought', '')
  expect([first, withFilled('read tides.txt', 'read ships.txt', 'read ships.txt')]).toEqual([
    'read ships.txt\n\nhalf a thought',
    'read tides.txt',
  ])
})
