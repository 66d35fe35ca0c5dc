import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const run = (command: string, ...args: readonly string[]) => {
  const script = fileURLToPath(new URL(`../hardening/${command}/run.ts`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe.each(['fuzz', 'mutation', 'soak', 'damage'])('%s', (command) => {
  it('prints its usage', () => {
    expect(run(command, '--seed', '--help')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^usage: npm run \w+ -- /),
      stderr: '',
    })
  })

  it('reports an unknown option in one sentence', () => {
    expect(run(command, '--speed')).toEqual({
      status: 2,
      stdout: '',
      stderr: "Unknown option '--speed'; see --help.\n",
    })
  })
})
