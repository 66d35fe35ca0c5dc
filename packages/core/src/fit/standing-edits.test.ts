import { describe, expect, it } from 'vitest'
import type { Edit, ReplaceEdit } from '../edit.ts'
import type { MediaPart, Message, Part, ToolCallPart, ToolResultPart } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { createFitting } from './draft.ts'
import { takeUpStandingEdits } from './ladder.ts'

const long = 'one two three four five six seven eight nine ten '.repeat(40)
const call: ToolCallPart = { type: 'tool-call', callId: 'c', tool: 'Run', input: long }
const result: ToolResultPart = { type: 'tool-result', callId: 'c', tool: 'Run', content: { type: 'text', text: long } }
const media: MediaPart = { type: 'media', mediaType: 'image/png', data: 'AAAA' }
const said: Part = { type: 'text', text: long }
const shortCall: Part = { ...call, input: 'short' }
const shortResult: Part = { ...result, content: { type: 'text', text: 'short' } }
const line: Part = { type: 'text', text: 'a line' }

function stands(shown: unknown, original: string, extra: object = {}): ReplaceEdit {
  const edit = { policy: 'fit-window', why: 'because', kind: 'replace', message: 'm', part: 0, with: shown as Part } as const
  return { id: `fit-window:m.0:${handleOf(original)}`, ...edit, ...extra }
}

function taken(part: Part, ...inForce: readonly Edit[]): readonly Edit[] {
  const messages: readonly Message[] = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
    { id: 'm', role: 'assistant', parts: [part] },
  ]
  const fitting = createFitting(messages, { inForce }, 'full')
  takeUpStandingEdits(fitting)
  return fitting.draft.edits()
}

describe('Q-24b reusing the edits of the last request', () => {
  it.each<[name: string, part: Part, edit: ReplaceEdit]>([
    ['a call', call, stands(shortCall, long)],
    ['a result', result, stands(shortResult, long)],
    ['media', media, stands(line, '"AAAA"')],
  ])('%s', (_name, part, edit) => expect(taken(part, edit)).toEqual([edit]))

  it('adds no edits if none were active', () => {
    const fitting = createFitting([{ id: 'm', role: 'assistant', parts: [call] }], {}, 'full')
    takeUpStandingEdits(fitting)
    expect(fitting.draft.edits()).toEqual([])
  })

  it('ignores other active edits', () => {
    const edit = stands(shortResult, long)
    const fold: Edit = { id: 'f', policy: 'fit-window', why: '', kind: 'fold', first: 'u', last: 'u', into: null }
    expect(taken(result, fold, { ...edit, message: 'gone' }, edit)).toEqual([edit])
  })

  it.each<[name: string, part: Part, edit: ReplaceEdit]>([
    ['the edit is of another policy', result, stands(shortResult, long, { policy: 'limit-tool-output' })],
    ['its original changed', result, stands(shortResult, 'an earlier text')],
    ['the part is missing', result, stands(shortResult, long, { part: 1 })],
    ['it has no replacement', result, stands(null, long)],
    ['media as another type', media, stands({ type: 'reasoning', text: 'short' }, '"AAAA"')],
    ['media as an invalid text', media, stands({ type: 'text', text: 4 }, '"AAAA"')],
    ['a call as a text', call, stands(line, long)],
    ['a call as a result', call, stands(shortResult, long)],
    ['a call as another call', call, stands({ ...shortCall, callId: 'd' }, long)],
    ['a call of another tool', call, stands({ ...shortCall, tool: 'Write' }, long)],
    ['a result as a text', result, stands(line, long)],
    ['a result as a call', result, stands(shortCall, long)],
    ['a result of another call', result, stands({ ...shortResult, callId: 'd' }, long)],
    ['a result without content', result, stands({ ...shortResult, content: null }, long)],
    ['a result as a text with its other fields', result, stands({ ...shortResult, ...line }, long)],
    ['it claims to be a fold', result, stands(shortResult, long, { kind: 'fold', first: 'm', last: 'm', into: null })],
    ['changed reasoning', { ...said, type: 'reasoning' } as Part, stands(line, long)],
    ['a changed text', said, stands(line, long)],
    ['a text as a result', { ...said, callId: 'c' } as Part, stands(shortResult, long)],
  ])('does not happen if %s', (_name, part, edit) => expect(taken(part, edit)).toEqual([]))
})
