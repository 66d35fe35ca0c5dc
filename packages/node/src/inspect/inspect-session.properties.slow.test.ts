import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Part } from '@plimsoll/core'
import { windowFill } from '@plimsoll/core/bill'
import { completeConfig, type TimingName } from '@plimsoll/core/policies'
import { countMessages, estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rebuildRequest } from '../agent/request/record-request.ts'
import { live, livedSessions } from '../agent/testing/lived-sessions.ts'
import { startSession } from '../agent/testing/start-session.ts'
import { branchHeads } from '../session/branch.ts'
import { readSession } from '../session/open-session.ts'
import { inspectSession } from './inspect-session.ts'

const settings = { config: completeConfig({ context_window: 50_000 }), isWindowSet: true, day: '2026-01-05' }

it.each<TimingName>(['immediate', 'economic'])(
  'every request of a session is filled as if its view had been rebuilt and counted: %s',
  async (timing) => {
    const reached = new Map<string, number>()
    const count = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1)
    await fc.assert(
      fc.asyncProperty(livedSessions, async (steps) => {
        const { session, sessions, close } = await startSession([])
        await live(session, steps, timing, count)
        const read = await readSession(sessions, session.id)
        const { size } = await stat(join(session.folder, 'log.jsonl'))
        const inspection = inspectSession(read, { ...settings, bytes: size })
        const calls = new Map<string, string>()
        for (const { id } of branchHeads(read)) {
          const entry = read.entry(id)
          for (const part of entry?.type === 'message' ? entry.message.parts : [])
            if (part.type === 'tool-call') calls.set(part.callId, part.tool)
        }
        // The inspector also knows the calls that a request no longer shows.
        const named = (part: Part): Part =>
          part.type === 'tool-result' ? { ...part, tool: calls.get(part.callId ?? '') ?? part.tool } : part
        const options = { window: 50_000, reserve: 8192 }
        for (const request of inspection.requests) {
          const rebuilt = rebuildRequest(read, request.id)
          const entry = read.entry(request.id)
          if (rebuilt === null || entry?.type !== 'request') throw new Error('no such request')
          const tokens = countMessages(rebuilt.messages, estimator)
          const { usage } = request
          const prompt = usage === null ? 0 : usage.input + usage.cacheRead + usage.cacheWrite
          const whole = prompt === 0 ? null : ({ tokens: prompt, source: 'usage' } as const)
          const messages = rebuilt.messages.map((message) => ({ ...message, parts: message.parts.map(named) }))
          expect(request.fill).toEqual(windowFill(messages, { ...options, toolTokens: entry.estimate - tokens, whole }))
          if (usage !== null) count('counted')
        }
        const state = read.state()
        // The active edits are those that the session itself has active.
        const inForce = inspection.edits.filter(({ state: is }) => is === 'in-force').map(({ id }) => id)
        expect(new Set(inForce).size).toBe(inForce.length)
        expect([...state.edits, ...state.folds].map(({ id }) => id).filter((id) => !inForce.includes(id))).toEqual([])
        if (inspection.edits.some((edit) => edit.state === 'withdrawn')) count('withdrawn')
        for (const { broken } of inspection.requests) if (broken !== null) count(broken.reason)
        expect(inspection.troubles).toEqual([])
        await read.close()
        await close()
      }),
      { numRuns: timing === 'economic' ? 24 : 12, endOnFailure: true },
    )
    const wanted = [
      'request',
      'counted',
      'compacted',
      'undone',
      'rewind',
      'pair-tool-calls',
      'fit-window',
      'withdrawn',
      'edit',
      'layers',
    ]
    expect(wanted.filter((what) => (reached.get(what) ?? 0) < 2)).toEqual([])
  },
)
