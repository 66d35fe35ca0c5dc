import { describe, expect, it } from 'vitest'
import { nextChoice, placeFor } from './menu.tsx'

describe('nextChoice', () => {
  const labels = ['Fork', 'Export …', 'Remove', 'Rename']
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 3, 0],
    ['ArrowDown', -1, 0],
    ['ArrowUp', 0, 3],
    ['ArrowUp', -1, 3],
    ['Home', 2, 0],
    ['End', 0, 3],
    ['r', 0, 2],
    ['R', 2, 3],
    ['r', 3, 2],
    ['x', 0, null],
    [' ', 0, null],
    ['Enter', 0, null],
  ])('%s from %i', (key, at, next) => {
    expect(nextChoice(key, labels, at)).toBe(next)
  })

  it('returns null for an empty menu', () => {
    expect(nextChoice('ArrowDown', [], -1)).toBeNull()
  })
})

describe('placeFor', () => {
  const screen = { width: 360, height: 600 }
  const size = { width: 200, height: 150 }
  it('opens below if there is room', () => {
    expect(placeFor({ left: 20, top: 100, width: 40, height: 30 }, size, screen)).toStrictEqual({ left: 20, top: 132 })
  })

  it('opens above at the end of the screen', () => {
    expect(placeFor({ left: 20, top: 550, width: 40, height: 30 }, size, screen)).toStrictEqual({ left: 20, top: 398 })
  })

  it('stays on the screen at its edge, and if there is no room anywhere', () => {
    expect(placeFor({ left: 330, top: 100, width: 30, height: 30 }, size, screen)).toStrictEqual({ left: 152, top: 132 })
    expect(placeFor({ left: 0, top: 80, width: 30, height: 30 }, { width: 400, height: 590 }, screen)).toStrictEqual({
      left: 8,
      top: 8,
    })
  })
})
