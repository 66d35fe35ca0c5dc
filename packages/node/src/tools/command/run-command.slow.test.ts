import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRunning } from '../../session/lock.ts'
import { temporaryFolder } from '../testing/tool-context.ts'
import { findShell } from './bash-tool.ts'
import { exitLine } from './collect-output.ts'
import { endProcesses, processesOf, processGroup } from './process-group.ts'
import { type CommandEnd, runCommand } from './run-command.ts'

const ended: CommandEnd = { kind: 'exited', exitCode: 0, signal: null, left: [], stuck: [] }
const notes = { seconds: 120, maxSeconds: 600, isEmpty: false, isBinary: false, problem: null }

describe('a command', () => {
  const options = {
    shell: ['bash', '-c'] as const,
    environment: process.env,
    milliseconds: 30_000,
    maxBytes: 1_000_000,
    signal: new AbortController().signal,
    onOutput: () => undefined,
  }

  it('is stopped if it writes too much', async () => {
    let bytes = 0
    const end = await runCommand({
      ...options,
      command: 'yes',
      folder: temporaryFolder(),
      onOutput: (_, piece) => {
        bytes += piece.length
      },
    })
    expect(end.kind).toBe('size')
    expect(bytes).toBeGreaterThan(1_000_000)
  })

  describe.runIf(process.platform === 'linux')('does not outlive an agent that is killed', () => {
    const script = fileURLToPath(new URL('../testing/run-until-killed.ts', import.meta.url))
    /** Kills an agent once its command has written this many numbers of its processes, and returns them. */
    const killDuring = async (command: string, count: number) => {
      const folder = temporaryFolder()
      const agent = spawn(process.execPath, [script, folder, command], { stdio: 'ignore' })
      const pids = () => {
        const written = existsSync(join(folder, 'pids')) ? readFileSync(join(folder, 'pids'), 'utf8') : ''
        return written
          .split('\n')
          .filter((line) => line !== '')
          .map(Number)
      }
      await expect.poll(() => pids().length, { timeout: 60_000 }).toBe(count)
      agent.kill('SIGKILL')
      return pids()
    }

    it('with its children, also if they are deaf to SIGTERM or in a group of their own', async () => {
      const command =
        'echo $$ >> pids; (trap "" TERM; echo $BASHPID >> pids; while :; do sleep 1; done) & set -m; sleep 1000 & echo $! >> pids; wait'
      const pids = await killDuring(command, 3)
      await expect.poll(() => pids.filter((pid) => isRunning(pid)), { timeout: 60_000 }).toEqual([])
    })

    it('except for what has left its session, as a server that has to stay', async () => {
      const [pid = 0] = await killDuring('setsid bash -c "echo \\$\\$ >> pids; exec sleep 1000" > log 2>&1 & wait', 1)
      onTestFinished(() => void process.kill(pid))
      await sleep(1500)
      expect(isRunning(pid)).toBe(true)
    })
  })

  it.runIf(process.platform === 'linux')(
    'reports that too many files are open, as a search does, and runs again once they are closed',
    async () => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'a.txt'), 'the tide\n')
      const script = fileURLToPath(new URL('../testing/few-descriptors.ts', import.meta.url))
      const { status, stdout, stderr } = spawnSync(
        '/bin/sh',
        ['-c', 'ulimit -n 120; exec "$@"', 'sh', process.execPath, script, folder],
        { encoding: 'utf8' },
      )
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const outcomes = JSON.parse(stdout) as { readonly command: readonly string[]; readonly search: readonly string[] }
      const kinds = (texts: readonly string[]) =>
        new Set(texts.map((text) => (/^Error: .*(?:Too many open files|EMFILE)/i.test(text) ? 'too many open files' : text)))
      expect([kinds(outcomes.command), kinds(outcomes.search)]).toEqual([
        new Set(['too many open files', '[exit code 0; no output]']),
        new Set(['too many open files', '1 match in 1 file']),
      ])
    },
  )

  it('writes no faster than its reader', async () => {
    const folder = temporaryFolder()
    let written = 0
    const end = await runCommand({
      ...options,
      command: 'for n in $(seq 100); do head -c 65536 /dev/zero; echo $n > written; done',
      maxBytes: 10_000_000,
      folder,
      async onOutput() {
        if (written > 0) return
        const path = join(folder, 'written')
        while (!existsSync(path)) await sleep(10)
        // Until it stops growing, as it does without a reader.
        for (let before = -1; before !== written || written === 0; await sleep(300)) {
          before = written
          written = Number(readFileSync(path, 'utf8'))
        }
      },
    })
    expect({ kind: end.kind, isHeldUp: written > 0 && written < 20 }).toEqual({ kind: 'exited', isHeldUp: true })
  })

  it.each<[string, Partial<typeof options> | { readonly shell: readonly [string] } | { readonly folder: string }]>([
    ['a shell', { shell: ['/no/such/shell'] }],
    ['a folder', { folder: '/no/such/folder' }],
  ])('is not run without %s', async (_, given) => {
    const running = runCommand({ ...options, command: 'true', folder: temporaryFolder(), ...given })
    await expect(running).rejects.toThrow('ENOENT')
  })

  it('is run by bash, or by the shell that is available', async () => {
    const [bash] = await findShell(process.env)
    expect(bash).toMatch(/\/bash$/)
    expect(await findShell({})).toEqual(['/bin/bash', '-c'])
  })
})

describe('the processes of a command', () => {
  it('do not include those of another command with its reused pid', async () => {
    const other = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    const { pid = 0 } = other
    const group = processGroup(pid, [])
    expect(processesOf(group).map((each) => each.pid)).toEqual([pid])
    const reused = { ...group, start: `${group.start?.split(':')[0]}:1` }
    expect(processesOf(reused)).toEqual([])
    expect(await endProcesses(reused, { patience: 50 })).toEqual([])
    expect(isRunning(pid)).toBe(true)
  })
})

describe('the last line of a result', () => {
  it.each<[Partial<CommandEnd>, Partial<typeof notes> | { readonly problem: string }, string]>([
    [{}, {}, '[exit code 0]'],
    [{ exitCode: 2 }, { isEmpty: true }, '[exit code 2; no output]'],
    [{ exitCode: null, signal: 'SIGKILL' }, {}, '[exit code 137: ended by SIGKILL]'],
    [{ kind: 'limit', exitCode: 0 }, {}, '[exit code 124: stopped at its time limit of 120 s; timeout_seconds allows up to 600]'],
    [{ kind: 'limit' }, { seconds: 600 }, '[exit code 124: stopped at its time limit of 600 s]'],
    [{ kind: 'size' }, {}, '[exit code 137: stopped because it wrote more than 4 GB]'],
    [{ stuck: ['sudo'], exitCode: null }, {}, '[exit code 1; could not be ended and still runs: sudo]'],
    [
      { left: ['a]\nb', 'c', 'd', 'e', 'f', 'g'] },
      {},
      '[exit code 0; what it left running was ended: a__b, c, d, e, f and others; setsid with the output in a file keeps a process]',
    ],
    [{}, { problem: 'a broken\ndisk' }, '[exit code 0; only this extract of the output could be kept: a broken disk]'],
  ])('R004-15 describes %j', (end, more, line) => {
    expect(exitLine({ ...ended, ...end }, { ...notes, ...more })).toBe(line)
  })
})
