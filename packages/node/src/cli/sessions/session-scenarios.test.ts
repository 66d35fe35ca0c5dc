import { type Message, resultText, specPolicies } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import { modelStringsIn } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { nextRequest } from '../../agent/request/next-request.ts'
import { readSession } from '../../session/open-session.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome, repeatedReads, type StateHome } from '../testing/state-home.ts'

const trimmed = expect.stringContaining(modelStringsIn('english').repeatedRead)

/** The results in the next request of a session. */
async function shownResults(home: StateHome, id: string): Promise<readonly string[]> {
  const session = await readSession(home.sessions, id)
  try {
    const facts = { now: Date.parse('2026-01-31T10:00:00Z') }
    return resultsIn(nextRequest({ state: session.state(), config: defaultConfig, policies: specPolicies, facts }).messages)
  } finally {
    await session.close()
  }
}

/** The stored results. */
async function storedResults(home: StateHome, id: string): Promise<readonly string[]> {
  const session = await readSession(home.sessions, id)
  try {
    return resultsIn(session.state().messages)
  } finally {
    await session.close()
  }
}

function resultsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [resultText(part)] : [])))
}

const read = (index: number) => `1→export const price = ${index}\n2→`
const reads = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => read(from + index))

describe('a stored session that is continued', () => {
  it('R001-22 is trimmed on the next send, and its stored results stay untrimmed', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(7))
    expect(await shownResults(home, id)).toEqual([trimmed, trimmed, ...reads(2, 7)])
    expect(await storedResults(home, id)).toEqual(reads(0, 7))
  })

  it('R001-23 is trimmed on the next send if chosen from the list', async () => {
    const home = createStateHome()
    await home.importMessages([{ role: 'user', content: 'another one' }])
    await home.importMessages(repeatedReads(6), '--title', 'the wanted one')
    const { sessions } = JSON.parse((await home.run(['sessions', '--json'])).stdout)
    const { id } = sessions.find(({ title }: { title: string }) => title === 'the wanted one')
    expect(await shownResults(home, id)).toEqual([trimmed, ...reads(1, 6)])
  })

  it('R001-25 counts reads from scratch after a rewind', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(7))
    await home.run(['sessions', 'rewind', id, '11'])
    expect(await shownResults(home, id)).toEqual(reads(0, 5))
    await home.run(['sessions', 'rewind', id, '13'])
    expect(await shownResults(home, id)).toEqual(reads(0, 5))
    await home.run(['sessions', 'rewind', id, 'm13'])
    expect(await shownResults(home, id)).toEqual([trimmed, ...reads(1, 6)])
  })

  it('R000-20 R000-29 stores an outdated command in full and trims it again on every send', async () => {
    const home = createStateHome()
    const record = '{"stdout":"Building project...\\nDone in 3.2s","stderr":"","exitCode":0}'
    const start = Date.parse('2026-01-31T08:00:00Z')
    const call = {
      id: 'build',
      type: 'function',
      function: { name: 'terminal-execute', arguments: '{"command":"npm run build"}' },
    }
    const id = await home.importMessages([
      { role: 'user', content: 'Build it.', timestamp: start },
      { role: 'assistant', content: null, tool_calls: [call], timestamp: start },
      { role: 'tool', tool_call_id: 'build', content: record, timestamp: start },
      ...repeatedReads(7),
    ])
    for (let send = 0; send < 2; send += 1) {
      const [first] = await shownResults(home, id)
      expect(first).not.toContain('Building project')
      expect(await home.run(['show', id, '3'])).toEqual({ code: 0, stdout: record, stderr: '' })
    }
  })

  it('hides a result from the model after saying what that costs, and shows it again', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(2))
    const strings = stringsFor('en').sessionCommands
    const { stdout } = await home.run(['sessions', 'hide', id, '3'])
    expect(stdout).toMatch(/^Removes [\d,]+ tokens from each request\. /)
    expect(stdout).toContain(strings.hidden('3'))
    expect(await shownResults(home, id)).toEqual(['[result hidden by the user]', read(1)])
    expect((await home.run(['sessions', 'hide', id, '3'])).stdout).toBe(`${strings.alreadyHidden('3')}\n`)
    expect((await home.run(['sessions', 'hide', id, '1'])).stdout).toBe(`${strings.nothingToHide('1')}\n`)
    expect((await home.run(['sessions', 'unhide', id, '3'])).stdout).toBe(`${strings.unhidden('3')}\n`)
    expect(await shownResults(home, id)).toEqual(reads(0, 2))
  })

  it('sends a pinned read in full', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(7))
    await home.run(['sessions', 'pin', id, '3'])
    expect(await shownResults(home, id)).toEqual([read(0), trimmed, ...reads(2, 7)])
    await home.run(['sessions', 'unpin', id, '3'])
    expect(await shownResults(home, id)).toEqual([trimmed, trimmed, ...reads(2, 7)])
  })
})
