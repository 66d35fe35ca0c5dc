import { describe, expect, it } from 'vitest'
import { placeOf } from './use-hash-place.ts'

describe('placeOf', () => {
  it.each([
    ['', { tab: 'overview', message: null }],
    ['#timeline', { tab: 'timeline', message: null }],
    ['#messages/41', { tab: 'messages', message: 41 }],
    ['#messages/-1', { tab: 'messages', message: null }],
    ['#nowhere/7', { tab: 'overview', message: 7 }],
  ])('%s', (hash, expected) => expect(placeOf(hash)).toEqual(expected))
})
