import { describe, expect, it } from 'vitest'
import { permissionKey } from './permission-dialog.tsx'

const plain = { ctrlKey: false, metaKey: false, altKey: false, repeat: false, isComposing: false }

describe('permissionKey', () => {
  it.each([
    ['y', 'once'],
    ['Y', 'once'],
    ['a', 'session'],
    ['n', 'no'],
    ['t', 'words'],
    ['s', 'stop'],
    ['Enter', null],
    [' ', null],
    ['Escape', null],
  ])('%s answers %s', (key, choice) => {
    expect(permissionKey({ ...plain, key })).toBe(choice)
  })

  it.each(['ctrlKey', 'metaKey', 'altKey', 'repeat', 'isComposing'] as const)(
    'does not take a letter with %s as an answer',
    (mark) => {
      expect(permissionKey({ ...plain, [mark]: true, key: 'y' })).toBeNull()
    },
  )
})
