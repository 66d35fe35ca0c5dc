import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handleOf } from '@plimsoll/core'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../../test/fresh-database.ts'
import { runCaptured } from '../testing/run-captured.ts'

const build = Array.from({ length: 900 }, (_, line) => `compiled module ${line}`).join('\n')
const stdin = JSON.stringify({
  session_id: 's',
  cwd: '/srv',
  hook_event_name: 'PostToolUse',
  tool_name: 'exec_command',
  tool_input: { cmd: 'make' },
  tool_use_id: 'a',
  tool_response: build,
})

it('keeps originals in PostgreSQL under the key in the environment, where recall with the same key finds them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-hook-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const shared = { HOME: home, XDG_CONFIG_HOME: home, PLIMSOLL_GATEWAY__STORE: await freshDatabase() }
  const own = { ...shared, OPENAI_API_KEY: 'key-of-one' }
  const { stdout } = await runCaptured(['hook', 'codex'], { stdin, environment: own })
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'block', reason: expect.stringContaining(handleOf(build)) })
  const recalled = (environment: Readonly<Record<string, string>>) =>
    runCaptured(['recall', handleOf(build), '--lines', '500-500'], { environment })
  expect((await recalled(own)).stdout).toContain('compiled module 499')
  // Nobody else's key finds it, and without a key the original would be lost.
  expect((await recalled({ ...shared, OPENAI_API_KEY: 'key-of-another' })).stdout).not.toContain('compiled module 499')
  expect(await runCaptured(['hook', 'codex'], { stdin, environment: shared })).toEqual({ code: 0, stdout: '', stderr: '' })
})
