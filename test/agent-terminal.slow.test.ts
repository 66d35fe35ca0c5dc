import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTerminal, type TestTerminal } from '../packages/node/src/cli/chat/testing/open-terminal.ts'
import { createWorkplace, isBuilt, project, type Workplace } from './workplace.ts'

const enter = '\r'
const escape = '\u001b'
const clearLine = '\u0015'
const endOfInput = '\u0004'

function open({ folder, environment }: Workplace, ...args: readonly string[]): TestTerminal {
  const terminal = openTerminal({ args, folder, environment, rows: 30 })
  onTestFinished(terminal.end)
  return terminal
}

/** Answers a question after a pause, because a key right after typing is ignored. */
async function answer(terminal: TestTerminal, question: RegExp): Promise<void> {
  await terminal.shows(question)
  await sleep(600)
  terminal.type('y')
}

/** Resolves when this many turns have ended. */
function turns(terminal: TestTerminal, count: number): Promise<void> {
  return terminal.until(() => (terminal.everything().match(/∙ .* requests?/g) ?? []).length === count)
}

describe.runIf(isBuilt)('a task at a terminal', () => {
  it('reads, searches, edits, runs tests, shows the window, compacts, rewinds, quits and resumes, by keyboard only', async () => {
    const place = createWorkplace({ ...project, 'notes.txt': 'A long note about what was sold, and when.\n'.repeat(120) })
    const terminal = open(place, 'chat')
    await terminal.shows('› Describe a task')

    terminal.type(`read notes.txt; search discount in src${enter}`)
    await turns(terminal, 1)
    expect(terminal.everything()).toContain('src/price.mjs:2:  // The discount comes later.')

    terminal.type(`run node test.mjs${enter}`)
    await answer(terminal, /Bash wants to run:\n {2}node test\.mjs/)
    await turns(terminal, 2)
    expect(terminal.everything()).toContain('└ exit code 1 · FAIL: expected 12, got 7')

    terminal.type(`edit src/price.mjs "price + count" -> "price * count"; run node test.mjs${enter}`)
    await answer(
      terminal,
      /Edit wants to change a file:[\s\S]*\n {2}- {2}return price \+ count\n {2}\+ {2}return price \* count\n/,
    )
    await answer(terminal, /Bash wants to run:\n {2}node test\.mjs/)
    await turns(terminal, 3)
    expect(terminal.everything()).toContain('└ exit code 0 · 1 test passed')
    expect(place.read('src/price.mjs')).toContain('return price * count')

    terminal.type(`/context${enter}`)
    await terminal.shows(/D tool definitions[\s\S]*in context: about [\d,]+ tokens/)
    terminal.type(`/compact${enter}`)
    await answer(terminal, /Compact these rounds now\?/)
    await terminal.shows(/⤵ \d+ messages of 2 rounds compacted into a summary; the latest round stays/)

    // Pressing Escape twice puts the last user message back into the prompt; its changes to the file stay.
    await terminal.rests()
    terminal.type(escape)
    await terminal.shows('Press Esc again')
    terminal.type(escape)
    await terminal.shows(/Rewind to before …\n❯ [\d:]+ {2}edit src\/price\.mjs/)
    terminal.type(enter)
    await terminal.shows(/Undone: “edit src[\s\S]*› edit src\/price\.mjs "price \+ count"/)
    terminal.type(`${clearLine}edit src/price.mjs "price * count" -> "count * price"; run node test.mjs${enter}`)
    await answer(terminal, /Edit wants to change a file:[\s\S]*\+ {2}return count \* price/)
    await answer(terminal, /Bash wants to run:\n {2}node test\.mjs/)
    await turns(terminal, 4)
    expect(place.read('src/price.mjs')).toContain('return count * price')
    terminal.type(endOfInput)
    expect(await terminal.exit).toBe(0)

    const again = open(place, 'chat', '--resume', 'last')
    await again.shows('› Describe a task')
    expect(again.everything()).toMatch(/Session \S+: read notes\.txt[\s\S]*● Bash node test\.mjs: 1 test passed/)
    again.type(`recall The discount comes later${enter}`)
    await again.until(() => /recall The discount comes later: [\s\S]*∙ .* requests/.test(again.everything()))
    expect(again.everything()).toContain('// The discount comes later.')
    again.type(endOfInput)
    expect(await again.exit).toBe(0)
    const { sessions } = JSON.parse((await place.run('sessions', '--json')).stdout) as { readonly sessions: readonly unknown[] }
    expect(sessions).toHaveLength(1)
  })
})
