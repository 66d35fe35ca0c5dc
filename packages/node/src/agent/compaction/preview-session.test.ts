import { completeConfig } from '@plimsoll/core/policies'
import { countMessages, estimator } from '@plimsoll/core/text'
import { afterEach, describe, expect, it } from 'vitest'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { startSession, type TestSession } from '../testing/start-session.ts'
import { compactSession } from './compact-session.ts'
import { previewSession } from './plan-session.ts'

let started: TestSession | undefined

afterEach(async () => {
  await started?.close()
  started = undefined
})

describe('previewSession', () => {
  it('shows what compacting without a model then does, and changes nothing', async () => {
    started = await startSession(longConversation())
    const { session } = started
    const options = { config: completeConfig({}), keepRounds: 8 }
    const heads = session.heads().length
    const preview = previewSession(session, options)
    expect(session.heads()).toHaveLength(heads)
    expect(preview?.segment.rounds).toEqual({ folded: 6, kept: 8 })
    const outcome = await compactSession(session, { ...options, writer: null, emit: () => undefined })
    expect(outcome).toMatchObject({ kind: 'compacted', fold: preview?.fold })
    expect(countMessages(session.state().messages, estimator)).toBe(preview?.tokensAfter)
  })

  it('counts rounds with a mere notice in their place as not yet folded', async () => {
    started = await startSession(longConversation())
    const { session } = started
    const config = completeConfig({ compaction: { fallback: 'none' } })
    const writer = () => Promise.reject(new Error('out of order'))
    await compactSession(session, { config, writer, emit: () => undefined })
    expect(previewSession(session, { config })?.segment.messages).toEqual(longConversation().slice(0, 16))
  })

  it('folds on demand what the settings would leave alone, as the compaction does', async () => {
    started = await startSession(longConversation())
    const { session } = started
    const options = { config: completeConfig({ compaction: { min_messages: 1000 } }), force: true }
    expect(previewSession(session, { config: options.config })).toBeNull()
    const preview = previewSession(session, options)
    const outcome = await compactSession(session, { ...options, writer: null, emit: () => undefined })
    expect(outcome).toMatchObject({ kind: 'compacted', fold: preview?.fold, tokensAfter: preview?.tokensAfter })
  })

  it('tells the sizes as they are where a notice stands, and folds nothing that would only grow', async () => {
    started = await startSession(longConversation())
    const { session } = started
    const config = completeConfig({ compaction: { fallback: 'none' } })
    await compactSession(session, { config, writer: () => Promise.reject(new Error('no')), emit: () => undefined })
    const tokensBefore = countMessages(session.state().messages, estimator)
    expect(previewSession(session, { config })).toMatchObject({ fold: null, tokensBefore, tokensAfter: tokensBefore })
    const preview = previewSession(session, { config, force: true })
    expect(preview?.tokensBefore).toBe(tokensBefore)
    const outcome = await compactSession(session, { config, force: true, writer: null, emit: () => undefined })
    expect(outcome).toMatchObject({ kind: 'compacted', fold: preview?.fold, tokensAfter: preview?.tokensAfter })
  })

  it('is null if there is nothing to compact', async () => {
    started = await startSession(longConversation(3))
    expect(previewSession(started.session, { config: completeConfig({}) })).toBeNull()
  })
})
