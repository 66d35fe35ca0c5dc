import { describe, expect, it } from 'vitest'
import { parseJson, parseJsonData } from './json.ts'

describe('parseJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' [1] ', [1]],
    ['null', null],
    ['"text"', 'text'],
    ['', undefined],
    ['{"a":', undefined],
    ['plain text', undefined],
  ])('reads %j', (text, value) => expect(parseJson(text)).toEqual(value))
})

describe('parseJsonData', () => {
  it.each([
    ['\n\t {"a":1}', { a: 1 }],
    ['[]', []],
    ['12', undefined],
    ['null', undefined],
    ['[1', undefined],
    [' [1] \n', [1]],
    ['[0] started\n[1] ready', undefined],
    ['[1}', undefined],
    ['{"a":1}]', undefined],
  ])('reads %j', (text, value) => expect(parseJsonData(text)).toEqual(value))
})
