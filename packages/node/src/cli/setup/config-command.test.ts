import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultConfig } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome } from '../testing/state-home.ts'

const machine = () => {
  const home = createStateHome()
  const own = join(home.path, 'config', 'plimsoll')
  const project = join(home.path, 'project')
  mkdirSync(own, { recursive: true })
  mkdirSync(project)
  return {
    home,
    own: (text: string) => writeFileSync(join(own, 'config.yaml'), text),
    project: (text: string) => writeFileSync(join(project, 'plimsoll.yaml'), text),
    run: (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
      home.run(['config', ...args], {
        folder: project,
        environment: { XDG_CONFIG_HOME: join(home.path, 'config'), ...environment },
      }),
  }
}

describe('plimsoll config', () => {
  it('prints all settings as YAML that parses to the same values', async () => {
    const { stdout, code } = await machine().run([])
    expect(code).toBe(0)
    expect(parse(stdout)).toEqual(JSON.parse(JSON.stringify(defaultConfig)))
  })

  it('says where each setting comes from', async () => {
    const { run, own, project } = machine()
    own('compaction:\n  keep_rounds: 7\n  threshold: 0.5\n')
    project('compaction:\n  threshold: 0.6\n')
    const { stdout } = await run(['compaction', '--show-origin'], { PLIMSOLL_COMPACTION__MIN_MESSAGES: '9' })
    const { stdout: policies } = await run(['policies', '--show-origin', '--policies', 'economy'])
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'keep_rounds: 7  # ~/config/plimsoll/config.yaml:2:3',
      'threshold: 0.6  # ~/project/plimsoll.yaml:2:3',
      'min_messages: 9  # PLIMSOLL_COMPACTION__MIN_MESSAGES',
      'timeout_seconds: 120  # default',
    ])
    expect(policies).toBe('policies: economy  # --policies\n')
  })

  it('never prints secrets', async () => {
    const { run, own } = machine()
    own(
      [
        'mcp_servers:',
        '  files:',
        '    command: server',
        '    args: ["--key", "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz"]',
        '    env: { PASSWORD: hunter2 }',
        '  far:',
        '    url: "https://sam:hunter2@tools.example/mcp?token=hunter2"',
        '    headers: { Authorization: Bearer hunter2 }',
      ].join('\n'),
    )
    for (const args of [[], ['--json'], ['mcp_servers', '--show-origin']]) {
      const { stdout, code } = await run(args)
      expect(code).toBe(0)
      expect(stdout).toContain('(hidden)')
      expect(stdout).not.toMatch(/hunter2|0123456789abc/)
    }
  })

  it('prints one section as JSON', async () => {
    const { stdout } = await machine().run(['sessions', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      config: { redact_secrets: false },
      origins: { 'sessions.redact_secrets': 'default' },
      warnings: [],
    })
  })

  it('suggests the closest setting', async () => {
    expect(await machine().run(['compaction.treshold'])).toMatchObject({
      code: 2,
      stderr: `error: ${stringsFor('en').config.unknownKey('compaction.treshold', 'compaction.threshold')}\n`,
    })
  })

  it('lists every problem of an invalid configuration', async () => {
    const { run, project } = machine()
    project('compaction:\n  treshold: 0.6\n')
    const { code, stderr } = await run([])
    expect(code).toBe(2)
    expect(stderr).toContain('plimsoll.yaml:2:3')
    expect(stderr).toContain('did you mean threshold?')
  })
})
