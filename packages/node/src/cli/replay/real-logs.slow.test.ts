import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

// Uses recorded sessions next to the repository if there are any, else writes files of the same formats.
const recorded = fileURLToPath(new URL('../../../../../../shared/sessions', import.meta.url))
const folder = createFolder()
afterAll(folder.remove)

const messages = [
  { role: 'system', content: 'You fix bugs.' },
  { role: 'user', content: 'The tests fail.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"npm test"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'ok\n'.repeat(5000) },
]
const own = [
  folder.write('messages.traj.json', JSON.stringify({ info: {}, messages, trajectory_format: 'own' })),
  folder.write('history.traj', JSON.stringify({ trajectory: [], history: messages, info: {} })),
  folder.write(
    'records.json',
    JSON.stringify([
      { task_id: 1, traj: messages },
      { task_id: 2, traj: messages },
    ]),
  ),
  folder.write('lines.jsonl', [{ messages }, { messages }].map((line) => JSON.stringify(line)).join('\n')),
  folder.write(
    'claude.jsonl',
    `${JSON.stringify({ parentUuid: null, sessionId: 's', type: 'user', message: messages[1] })}\n{"broken`,
  ),
]

const files = existsSync(recorded) ? [...own, ...filesBelow(recorded)] : own

describe('an agent log', () => {
  it.each(files)('is viewed or refused by name: %s', async (path) => {
    const { code, stdout, stderr } = await runCaptured(['view', path, '--json'], { environment: { PLIMSOLL_LOG: 'silent' } })
    if (code === 0) {
      const answer = JSON.parse(stdout) as {
        messages: unknown[]
        report: { problems: unknown[]; tokensBefore: number; tokensAfter: number }
      }
      expect(answer.messages.length).toBeGreaterThan(0)
      expect(answer.report.problems).toEqual([])
      expect(answer.report.tokensAfter).toBeLessThanOrEqual(answer.report.tokensBefore)
      expect((await runCaptured(['view', path])).code).toBe(0)
    } else {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/looks like .*, which this version cannot read/)
    }
  })

  it('is viewed conversation by conversation if it has several', async () => {
    const [many] = files.filter((path) => path.includes('tau-bench')).concat(own[2] as string)
    const count = (JSON.parse(readFileSync(many as string, 'utf8')) as unknown[]).length
    for (const number of [1, 2, count]) {
      const { code, stderr } = await runCaptured(['view', many as string, '--conversation', String(number)])
      expect(code).toBe(0)
      expect(stderr).toContain(stringsFor('en').view.conversations(count, number))
    }
  })
})

function filesBelow(path: string): readonly string[] {
  return readdirSync(path)
    .map((name) => join(path, name))
    .flatMap((entry) =>
      statSync(entry).isDirectory()
        ? filesBelow(entry)
        : /\.(?:jsonl?|traj)$/.test(entry) && !entry.endsWith('SOURCE.json')
          ? [entry]
          : [],
    )
}
