import { describe, expect, it } from 'vitest'
import type { InspectedMessage } from '../../../../node/src/shared/inspection/inspection.ts'
import { madeInspection } from '../../testing/made-inspection.ts'
import { madeMessages } from '../../testing/made-messages.ts'
import { createMessagePages } from './message-pages.ts'

const messageOf = madeMessages(madeInspection({ messages: 500 }))

/** A source whose answers come when they are let go. */
function slowSource() {
  const asked: { from: number; isAborted: () => boolean; answer: () => void; fail: () => void }[] = []
  const load = (from: number, to: number, signal?: AbortSignal) =>
    new Promise<readonly InspectedMessage[]>((resolve, reject) => {
      const numbers = Array.from({ length: to - from }, (_, index) => from + index)
      asked.push({
        from,
        isAborted: () => signal?.aborted === true,
        answer: () => resolve(numbers.map(messageOf)),
        fail: () => reject(new Error('gone')),
      })
    })
  return { load, asked }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('createMessagePages', () => {
  it('loads the pages in sight once, a few at a time', async () => {
    const { load, asked } = slowSource()
    const pages = createMessagePages(load)
    pages.want([5, 6, 25, 45, 65, 85])
    pages.want([5, 6, 25, 45, 65, 85])
    expect(asked.map(({ from }) => from)).toEqual([0, 20, 40])
    for (const one of asked) one.answer()
    await settle()
    expect(asked.map(({ from }) => from)).toEqual([0, 20, 40, 60, 80])
    expect(pages.row(6)).toEqual({ id: 'message-6', about: expect.stringContaining('src/import.ts:6') })
    expect(pages.row(66)).toBeUndefined()
  })

  it('cancels pages out of sight and requests them again when they return', async () => {
    const { load, asked } = slowSource()
    const pages = createMessagePages(load)
    pages.want([5])
    pages.want([105])
    expect(asked.map(({ isAborted }) => isAborted())).toEqual([true, false])
    asked[0]?.answer()
    await settle()
    expect(pages.row(5)).toBeUndefined()
    pages.want([5])
    expect(asked.map(({ from }) => from)).toEqual([0, 100, 0])
  })

  it('reports a page that could not be loaded to its listeners, and retries after it is forgotten', async () => {
    const { load, asked } = slowSource()
    const pages = createMessagePages(load)
    let told = 0
    pages.subscribe(() => {
      told += 1
    })
    pages.want([5])
    asked[0]?.fail()
    await settle()
    expect([pages.row(5), told, pages.version()]).toEqual([null, 1, 1])
    pages.forget()
    asked[1]?.answer()
    await settle()
    expect(pages.row(5)?.id).toBe('message-5')
  })
})
