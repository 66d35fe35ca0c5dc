import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callInput, type Message, recall, toolResults } from '@plimsoll/core'
import { roundsOf } from '@plimsoll/core/compaction'
import { completeConfig } from '@plimsoll/core/policies'
import { countMessages, estimator } from '@plimsoll/core/text'
import { afterAll, expect, it } from 'vitest'
import { compactSession } from '../packages/node/src/agent/compaction/compact-session.ts'
import { createSession } from '../packages/node/src/session/create-session.ts'
import { recallSourceOf } from '../packages/node/src/session/recall-source.ts'
import { longConversations } from './long-conversations.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-ten-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const config = completeConfig({})

it.each(await longConversations())(
  'R004-22 R004-24 R004-26 after ten compactions in a row every instruction and every changed file is still there: $name',
  async ({ messages }) => {
    const session = await createSession(folder)
    const earlier: string[] = []
    let compacted = 0
    for (const chunk of inTenths(messages)) {
      await session.append(chunk.map((message) => ({ type: 'message', message })))
      const before = countMessages(session.state().messages, estimator)
      const outcome = await compactSession(session, { config, writer: null, emit: () => undefined, keepRounds: 1, force: true })
      const state = session.state()
      const after = countMessages(state.messages, estimator)
      if (outcome.kind === 'compacted') {
        compacted += 1
        expect(after).toBeLessThan(before)
      } else expect(after).toBe(before)
      // Earlier entries stay unchanged, byte for byte.
      const summaries = state.messages.filter(({ summary }) => summary === true).map((message) => JSON.stringify(message))
      expect(earlier.filter((summary) => !summaries.includes(summary))).toEqual([])
      earlier.splice(0, earlier.length, ...summaries)
    }
    expect(compacted).toBeGreaterThanOrEqual(Math.min(8, roundsOf(messages).length - 1))

    const shown = session.state().messages.map(textOf).join('\n')
    const source = recallSourceOf(session)
    const served = [...shown.matchAll(/recall ([0-9a-f]{12})/g)].map(([, handle]) => {
      const answer = recall({ handle: handle as string }, source)
      return answer.kind === 'found' ? answer.text : ''
    })
    const there = unquoted(`${shown}\n${served.join('\n')}`)
    const lost = messages
      .filter(({ role, summary }) => role === 'user' && summary !== true)
      .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
      .filter((text) => !there.includes(unquoted(text)))
    expect(lost).toEqual([])
    const written = `${shown}\n${JSON.stringify(session.state().messages)}`
    expect(changedPaths(messages).filter((path) => !written.includes(path))).toEqual([])
    await session.close()
  },
  120_000,
)

/** Ten pieces of about as many rounds each. */
function inTenths(messages: readonly Message[]): readonly (readonly Message[])[] {
  const rounds = roundsOf(messages)
  const starts = Array.from({ length: 10 }, (_, tenth) =>
    tenth === 0 ? 0 : (rounds[Math.floor((rounds.length * tenth) / 10)]?.first ?? 0),
  )
  return starts
    .map((start, index) => messages.slice(start, starts[index + 1] ?? messages.length))
    .filter(({ length }) => length > 0)
}

/** The paths of edits and writes that did not fail, found without the code under test. */
function changedPaths(messages: readonly Message[]): readonly string[] {
  const paths = toolResults(messages, {}).flatMap(({ kind, isError, call }) => {
    const input = call === null ? null : callInput(call)
    const path = input?.['file_path'] ?? input?.['path'] ?? input?.['filePath']
    return (kind === 'edit' || kind === 'write') && !isError && typeof path === 'string' ? [path] : []
  })
  return [...new Set(paths)]
}

function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Removes quote marks at the start of lines, to compare only the text. */
function unquoted(text: string): string {
  return text.replaceAll(/^[> \t]+/gm, '').trim()
}
