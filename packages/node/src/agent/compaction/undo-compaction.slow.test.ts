import { applyEdits, handleOf, recall } from '@plimsoll/core'
import { transcriptOf } from '@plimsoll/core/session'
import { afterEach, describe, expect, it } from 'vitest'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { recallSourceOf } from '../../session/recall-source.ts'
import type { OpenSession } from '../../session/session.ts'
import { compact, endAll, good, hanging, quickNone, type Setting, start, summaryOf } from '../testing/compacting.ts'
import { undoCompaction } from './compaction-history.ts'

afterEach(endAll)

describe('recall after a compaction', () => {
  const original = transcriptOf(longConversation().slice(0, 16))

  function recalled(session: OpenSession): string {
    const handle = /recall ([0-9a-f]{12})\]$/.exec(summaryOf(session))?.[1] ?? ''
    return answerOf(session, handle)
  }

  function answerOf(session: OpenSession, handle: string): string {
    const answer = recall({ handle }, recallSourceOf(session))
    return answer.kind === 'found' ? answer.text : answer.kind
  }

  it.each<[name: string, setting: Setting]>([
    ['a model’s summary', { answers: [good] }],
    ['an outline', {}],
    ['a notice', { answers: [hanging], config: quickNone }],
  ])('restores the content of %s, also after it was undone', async (_name, setting) => {
    const session = await start()
    await compact(session, setting)
    expect(recalled(session)).toBe(original)
    await undoCompaction(session)
    expect(answerOf(session, handleOf(original))).toBe(original)
  })

  it('restores the content of a summary that replaced a notice, and the content of the notice', async () => {
    const session = await start()
    await compact(session, { answers: [hanging], config: quickNone })
    await session.append(
      longConversation(20)
        .slice(14 * 4)
        .map((message) => ({ type: 'message', message })),
    )
    await compact(session, {})
    expect(recalled(session)).toBe(transcriptOf(longConversation(20).slice(0, 40)))
    expect(answerOf(session, handleOf(original))).toBe(original)
  })
})

describe('undoCompaction', () => {
  it('shows the rounds again as they were', async () => {
    const session = await start()
    const { outcome } = await compact(session, {})
    if (outcome.kind !== 'compacted') throw new Error('expected a compaction')
    expect(await undoCompaction(session)).toEqual(outcome.fold)
    expect(session.state().messages).toEqual(longConversation())
    expect(await undoCompaction(session)).toBeNull()
    expect(applyEdits(session.state().messages, [outcome.fold])[0]).toEqual(outcome.fold.into)
  })

  it('undoes the latest of several, after which compacting works again', async () => {
    const session = await start(longConversation(24))
    await compact(session, { options: { keepRounds: 18 } })
    await compact(session, {})
    await undoCompaction(session)
    expect(session.state().folds).toHaveLength(1)
    await compact(session, {})
    expect(session.state().folds).toHaveLength(2)
  })
})
