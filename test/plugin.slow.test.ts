import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handleOf } from '@plimsoll/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { claudeMatcher, hookedAgents } from '../packages/node/src/cli/hook/hook-agents.ts'
import { pluginPrograms } from '../scripts/bundle-plugin.ts'
import { root } from './source-files.ts'

const isBuilt = existsSync(`${root}/packages/node/dist/cli/hook/hook-main.js`)
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
const json = (path: string) => JSON.parse(read(path)) as Readonly<Record<string, never>>

describe('the plugin for Claude Code', () => {
  it.runIf(isBuilt)('has the programs of this build: `npm run build` writes them, commit them', async () => {
    const programs = await pluginPrograms(root)
    expect([...programs].filter(([path, code]) => read(path) !== code).map(([path]) => path)).toEqual([])
    expect(programs.size).toBe(5)
  })

  it('has the version and licence of the packages, and the matcher that `plimsoll hook --print` shows', () => {
    const manifest = json('plugin/.claude-plugin/plugin.json')
    expect(manifest['version']).toBe(json('packages/node/package.json')['version'])
    expect(read('plugin/LICENSE')).toBe(read('LICENSE'))
    expect(read('packages/node/bin/plimsoll.js')).toContain(`/^(?:${hookedAgents.join('|')})$/`)
    expect(JSON.stringify(json('plugin/hooks/hooks.json'))).toContain(JSON.stringify(claudeMatcher))
    expect(json('.claude-plugin/marketplace.json')['plugins']).toMatchObject([{ name: manifest['name'], source: './plugin' }])
  })

  it('has an icon as the directory of plugins wants it: a square PNG of 512 to 2,048 pixels', () => {
    const icon = readFileSync(`${root}/plugin/.claude-plugin/icon.png`)
    expect([icon.toString('latin1', 1, 4), icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual(['PNG', 512, 512])
  })

  it('shortens a result, gives it back over MCP, and reports it, without anything but its own folder', () => {
    const home = mkdtempSync(join(tmpdir(), 'plimsoll-plugin-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    cpSync(`${root}/plugin`, join(home, 'plugin'), { recursive: true })
    symlinkSync(`${root}/packages/node/bin/plimsoll.js`, join(home, 'command.js'))
    const run = (program: string, args: readonly string[], input: string) =>
      spawnSync(process.execPath, [join(home, 'plugin', program), ...args], {
        input,
        encoding: 'utf8',
        cwd: home,
        env: { HOME: home, PATH: '' },
      })
    const text = Array.from({ length: 900 }, (_, line) => `compiled module ${line}`).join('\n')
    const call = {
      session_id: 's',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'make' },
      tool_use_id: 't',
      tool_response: { stdout: text },
    }
    const hook = run('bin/hook.cjs', ['claude-code'], JSON.stringify(call))
    expect(hook).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining(`recall ${handleOf(text)}`) })
    expect(run('bin/hook.cjs', ['claude-code'], 'odd')).toMatchObject({ status: 0, stderr: '', stdout: '' })

    const command = run('../command.js', ['hook', 'claude-code'], JSON.stringify(call))
    expect([command.status, command.stdout]).toEqual([0, hook.stdout])

    // What it has compiled is used again, unless it was damaged.
    const compiled = join(home, '.cache/plimsoll/hook/compiled-bin')
    const [bytes, { ino }] = [readFileSync(compiled), statSync(compiled)]
    expect(bytes.toString('latin1', 0, 100)).toMatch(/^plimsoll hook 1 \w+ \d+ \d+ whole\n/)
    expect(run('bin/hook.cjs', ['claude-code'], JSON.stringify(call)).stdout).toBe(hook.stdout)
    expect(statSync(compiled).ino).toBe(ino)
    writeFileSync(compiled, bytes.fill(0xaa, 5000, 300_000))
    expect(run('bin/hook.cjs', ['claude-code'], JSON.stringify(call))).toMatchObject({
      status: 0,
      stderr: '',
      stdout: hook.stdout,
    })
    expect(readFileSync(compiled).equals(bytes)).toBe(false)

    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const asked = [
      { id: 1, method: 'initialize', params: client },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'recall', arguments: { handle: handleOf(text), lines: '500-501' } } },
    ]
    const recall = run('start.cjs', ['recall'], asked.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''))
    expect(recall).toMatchObject({ stderr: '', stdout: expect.stringContaining('compiled module 499') })

    const project = join(home, '.claude/projects', home.replaceAll(/[^A-Za-z0-9]/g, '-'))
    mkdirSync(project, { recursive: true })
    const said = {
      type: 'user',
      uuid: 'u',
      parentUuid: null,
      sessionId: 's',
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: 'user', content: 'Run make.' },
    }
    writeFileSync(join(project, 's.jsonl'), `${JSON.stringify(said)}\n`)
    const report = run('start.cjs', ['report'], '')
    expect(report).toMatchObject({ status: 0, stderr: '' })
    expect(report.stdout).toMatch(/User\n/)
    expect(report.stdout).toMatch(/shortened 1 result of this session: [\d,]+ characters to [\d,]+\./)
  })

  it.each(['report', 'recall'])('says which Node it needs if the one on the path is too old: %s', (what) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`
    const old = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, `${root}/plugin/start.cjs`, what]
    const { status, stdout, stderr } = spawnSync(process.execPath, old, { encoding: 'utf8' })
    const sentence = expect.stringMatching(/^The Plimsoll plugin does nothing: it needs Node 22\.19 or newer/)
    expect([status, stdout, stderr]).toEqual(what === 'report' ? [0, sentence, ''] : [1, '', sentence])
  })
})
