import { describe, expect, it } from 'vitest'
import { readLogText } from '../read-log.ts'
import { geminiContents } from '../testing/recordings.ts'

const text = (words: string) => ({ type: 'text' as const, text: words })
const read = async (value: unknown) => (await readLogText(JSON.stringify(value))).value

describe('contents of Gemini', () => {
  it('become messages in which each result is its own, paired by id or, without one, by the order of the calls', async () => {
    const log = await read(geminiContents)
    expect(log?.sessions).toEqual([
      {
        id: null,
        title: 'Rename the file.',
        messages: [
          {
            id: '1',
            role: 'user',
            parts: [
              text('Rename the file.'),
              { type: 'media', mediaType: 'image/png', data: { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } } },
            ],
          },
          {
            id: '2',
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'Two steps.' },
              text('Renaming.'),
              { type: 'tool-call', callId: 'g1', tool: 'read_file', input: { path: 'a.ts' } },
              { type: 'tool-call', callId: 'call-2.3', tool: 'move', input: { to: 'b.ts' } },
            ],
          },
          {
            id: '3.0',
            role: 'tool',
            parts: [{ type: 'tool-result', callId: 'g1', tool: 'read_file', content: text('export {}') }],
          },
          {
            id: '3.1',
            role: 'tool',
            parts: [{ type: 'tool-result', callId: 'call-2.3', tool: 'move', content: text('not found'), isError: true }],
          },
          { id: '3.2', role: 'user', parts: [text('Try again.')] },
          { id: '4', role: 'assistant', parts: [{ type: 'tool-call', callId: 'call-4.0', tool: 'move', input: {} }] },
          {
            id: '5.0',
            role: 'tool',
            parts: [
              {
                type: 'tool-result',
                callId: 'call-4.0',
                tool: 'move',
                content: { type: 'json', value: { moved: true, to: 'b.ts' } },
              },
            ],
          },
          { id: '7', role: 'assistant', parts: [{ type: 'tool-call', callId: 'call-7.0', tool: 'move', input: {} }] },
        ],
        usages: [],
        compactions: 0,
        sidechains: 0,
        abandoned: 0,
      },
    ])
    expect(log?.unread).toEqual({ 'message without content': 1 })
  })

  it('have the system prompt and the model of a request', async () => {
    const log = await read({
      model: 'gemini-x',
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ parts: [{ text: 'hi' }] }],
    })
    expect(log?.sessions[0]).toMatchObject({
      model: 'gemini-x',
      messages: [
        { id: 'system', role: 'system', parts: [text('Be brief.')] },
        { id: '1.1', role: 'user', parts: [text('hi')] },
      ],
    })
  })

  it('are named by their position if they are damaged', async () => {
    const log = await read([{ role: 'user', parts: [{ text: 'hi' }] }, { role: 'model', parts: null }, 7])
    expect(log?.skipped).toEqual([
      { line: 2, reason: 'no-message' },
      { line: 3, reason: 'not-an-object' },
    ])
  })
})
