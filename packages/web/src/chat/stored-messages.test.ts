import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../../node/src/shared/server-api.ts'
import { loadPage, messageRun, missingPages, pageRange, type StoredMessages, storedBlocks } from './stored-messages.ts'

const message = (number: number): ChatMessage => ({
  number,
  message: { id: `m${number}`, role: 'user', parts: [] },
  isFolded: false,
})
const stored: StoredMessages = { count: 300, start: 250, latest: [], pages: new Map([[1, []]]) }

describe('storedBlocks', () => {
  it('shows how long a call took, by the note after its answer or after a result, and no other call with its id', () => {
    const asks = (number: number): ChatMessage => ({
      ...message(number),
      message: { id: `m${number}`, role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'Bash', input: {} }] },
    })
    const gives = (number: number, callId: string): ChatMessage => ({
      ...message(number),
      message: {
        id: `m${number}`,
        role: 'tool',
        parts: [{ type: 'tool-result', callId, tool: 'Bash', content: { type: 'text', text: '' } }],
      },
    })
    const took = (one: ChatMessage, durationMs: number): ChatMessage => ({
      ...one,
      notes: [{ id: 'n', type: 'tool_call_end', data: { callId: 'c', durationMs } }],
    })
    const all = [took(asks(0), 150), gives(1, 'c'), asks(2), took(gives(3, 'd'), 250), gives(4, 'c'), asks(5), gives(6, 'c')]
    const kept: StoredMessages = { count: 7, start: 0, latest: messageRun(all, 0, 7), pages: new Map() }
    const shown = [0, 2, 5].map((number) =>
      storedBlocks(kept, number)?.map((block) => (block.kind === 'call' ? block.call.durationMs : block.kind)),
    )
    expect(shown).toEqual([[150], [250], [null]])
    expect(storedBlocks(kept, 3)?.map(({ kind }) => kind)).toEqual(['call'])
  })
})

describe('loadPage', () => {
  it('requests until all messages of the page are loaded, but none of the latest', async () => {
    const asked: (readonly [number, number])[] = []
    const messages = (_session: string, from: number, to: number) => {
      asked.push([from, to])
      return Promise.resolve(Array.from({ length: Math.min(20, to - from) }, (_, index) => message(from + index)))
    }
    const found = await loadPage({ messages }, 's', stored, 2)
    expect(asked).toEqual([
      [200, 250],
      [220, 250],
      [240, 250],
    ])
    expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => 200 + index))
  })

  it('stops when nothing more can be read', async () => {
    const messages = (_session: string, from: number) => Promise.resolve(from < 210 ? [message(209)] : [])
    expect((await loadPage({ messages }, 's', stored, 2)).map(({ number }) => number)).toEqual([209])
  })
})

describe('missingPages', () => {
  it('returns the visible pages that are not loaded, except the latest', () => {
    expect(missingPages(stored, 50, 299)).toEqual([0, 2])
    expect(missingPages(stored, 250, 299)).toEqual([])
    expect(missingPages(stored, 120, 130)).toEqual([])
  })
})

describe('messageRun', () => {
  it('has each message at its place, and null for unreadable ones', () => {
    expect(
      messageRun([message(3), message(5)], ...pageRange({ ...stored, start: 6 }, 0)).map((one) => one?.number ?? null),
    ).toEqual([null, null, null, 3, null, 5])
  })
})
