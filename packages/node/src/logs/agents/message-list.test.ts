import { codecs } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { createLogNotes } from '../log-lines.ts'
import type { ReadLog } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { clineFile } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'
import { readMessageList, responseOf, writtenAt } from './message-list.ts'

describe('messages of a list', () => {
  it('are read without those that no dialect allows, which are reported', () => {
    const notes = createLogNotes()
    const list = [
      { role: 'user', content: 'a' },
      7,
      { role: 'wizard', content: 'b' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'c' },
    ]
    const listed = readMessageList(list, codecs['openai-chat'], notes)
    expect(listed.map(({ message }) => message.parts)).toEqual([[{ type: 'text', text: 'a' }], [{ type: 'text', text: 'c' }]])
    expect(notes.kept()).toEqual({
      skipped: [
        { line: 2, reason: 'not-an-object' },
        { line: 3, reason: 'no-message' },
      ],
      unread: { 'message without content': 1 },
    })
  })

  it('have unique ids, even if the list uses one twice', () => {
    const list = ['a', 'b'].map((content) => ({ id: 'x', role: 'user', content }))
    const listed = readMessageList(list, codecs['openai-chat'], createLogNotes())
    expect(listed.map(({ message }) => message.id)).toEqual(['x', 'x~2'])
  })

  it.each<[object, number | undefined]>([
    [{ ts: 1_783_376_868_634 }, 1_783_376_868_634],
    [{ timestamp: '2026-01-05T09:00:00Z' }, Date.UTC(2026, 0, 5, 9)],
    [{ extra: { response: { created: 1_763_511_341 } } }, 1_763_511_341_000],
    [{ extra: { timestamp: 1_763_511_341.25 } }, 1_763_511_341_250],
    [{ ts: 1e300 }, undefined],
    [{ ts: -5 }, undefined],
    [{ ts: Number.NaN }, undefined],
    [{ ts: '12' }, undefined],
    [{}, undefined],
  ])('were written when %j says', (source, at) => expect(writtenAt(source as never).at).toBe(at))

  it.each<[unknown, unknown]>([
    [
      { prompt_tokens: 10, completion_tokens: 2 },
      { input: 10, cacheRead: 0, cacheWrite: 0, output: 2 },
    ],
    [{ prompt_tokens: -10, completion_tokens: 2 }, null],
    [{ prompt_tokens: 1e300, completion_tokens: 2 }, null],
    [{ prompt_tokens: 10, completion_tokens: 1e300 }, null],
    [{ prompt_tokens: '10', completion_tokens: 'many' }, null],
    [
      { prompt_tokens: '10', completion_tokens: '3' },
      { input: 10, cacheRead: 0, cacheWrite: 0, output: 3 },
    ],
    ['much', null],
    [[1, 2], null],
  ])('used what can be believed of %j', (usage, expected) => {
    expect(responseOf({ usage }).reported?.usage ?? null).toEqual(expected)
  })
})

describe('a session of Cline', () => {
  it('has the system prompt, the text of attached files, and cached tokens out of the input', async () => {
    const { sessions } = (await readLogText(JSON.stringify(clineFile))).value as ReadLog
    expect(outlineOf(sessions[0] as never)).toEqual([
      'system system 1 "You are a coding agent."',
      'c1 user 1 "Move the icon." "/a.tsx\nexport {}" image/png',
      'c2 assistant 2 (Where is it?) u1=editor{"path":"/a.tsx"}',
      'c3 tool 3 u1→edited',
      'c4 assistant 4 "Moved."',
      'c5 user 5 "And now smaller."',
      'c6 assistant 6 u2=editor{}',
    ])
    const usage = { input: 30, cacheRead: 60, cacheWrite: 10, output: 9 }
    expect(sessions[0]?.usages).toEqual(['c2', 'c4', 'c6'].map((after) => ({ after, model: 'model-a', usage })))
  })
})
