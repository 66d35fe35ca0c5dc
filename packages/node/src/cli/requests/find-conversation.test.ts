import { afterAll, describe, expect, it } from 'vitest'
import { claudeLines, linesOf, recordings } from '../../logs/testing/recordings.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const { view } = stringsFor('en')

const folder = createFolder()
afterAll(folder.remove)

interface Answer {
  readonly messages: readonly { readonly id: string }[]
  readonly report: { readonly problems: readonly unknown[]; readonly edits: readonly { readonly message: string }[] }
}

describe('plimsoll view of another agent’s log', () => {
  it.each(recordings)('shows a session of $name', async ({ format, text }) => {
    const path = folder.write('log', text)
    const { code, stdout } = await runCaptured(['view', path, '--json'])
    const { messages, report } = JSON.parse(stdout) as Answer
    expect({ code, problems: report.problems }).toEqual({ code: 0, problems: [] })
    // The last call has no result, so one is inserted after it.
    expect(report.edits.at(-1)?.message).toBe(String(messages.length - 2))
    expect((await runCaptured(['view', path])).stdout).toContain(format)
  })

  it('reports hidden messages and skipped lines', async () => {
    const lines = linesOf(claudeLines)
    const { stderr } = await runCaptured(['view', folder.write('broken', `${lines}{"brok\n7\n`)])
    expect(stderr).toContain(view.skippedLines(2, 21, view.skipReasons['not-json']))
    expect(stderr).toContain(view.leftOut(2, 2))
    const chinese = await runCaptured(['view', folder.write('broken', `${lines}{"brok\n`)], {
      environment: { LANG: 'zh_CN.UTF-8' },
    })
    expect(chinese.stderr).toContain('已跳过第 21 行：不是 JSON。')
  })

  it('shows the model, and the same output from standard input', async () => {
    const text = linesOf(claudeLines)
    const { stdout } = await runCaptured(['view', folder.write('log.jsonl', text)])
    expect(stdout).toContain('claude-x')
    const piped = await runCaptured(['view', '-'], { stdin: text })
    expect(piped.stdout.split('\n').slice(1)).toEqual(stdout.split('\n').slice(1))
  })

  it('selects one of several sessions', async () => {
    const restarted = {
      type: 'user',
      uuid: 'z',
      parentUuid: null,
      sessionId: 's',
      message: { role: 'user', content: 'Start again.' },
    }
    const path = folder.write('two', linesOf([...claudeLines, restarted]))
    const { stdout, stderr } = await runCaptured(['view', path, '--json', '--conversation', '2'])
    expect(stderr).toContain(view.conversations(2, 2))
    expect((JSON.parse(stdout) as Answer).messages.map(({ id }) => id)).toEqual(['z'])
  })
})
