import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { handleOf, isError, type Message, type ToolResultPart } from '@plimsoll/core'
import { compressOldResults, toolRules } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBlobSink } from '../../session/blob-sink.ts'
import { createSession } from '../../session/create-session.ts'
import { isRunning } from '../../session/lock.ts'
import { runScript, temporarySessions } from '../../session/testing/sessions.ts'
import type { ToolOutcome, ToolProgress } from '../../shared/event.ts'
import type { OutputMeasurement } from '../testing/measure-output.ts'
import { temporaryFolder, toolContext } from '../testing/tool-context.ts'
import { createFreshness, createSeenFiles, type ToolContext } from '../tool.ts'
import { bashTool } from './bash-tool.ts'
import { collectOutput } from './collect-output.ts'

async function bash(command: string, given: Parameters<typeof toolContext>[0] = {}, more: object = {}) {
  const { context, told } = toolContext({
    environment: process.env,
    seen: createSeenFiles(),
    blobs: createBlobSink({ folder: temporaryFolder() }),
    ...given,
  })
  const outcome = await bashTool.run({ command, ...more }, context)
  return { outcome, told, context, text: textOf(outcome) }
}

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).join('\n')
}

function textOf({ content }: ToolOutcome): string {
  return content.type === 'text' ? content.text : ''
}

function partOf(outcome: ToolOutcome): ToolResultPart {
  const { content, isError: failed, blob, metadata } = outcome
  return {
    type: 'tool-result',
    callId: 'c',
    tool: 'Bash',
    content,
    ...(failed === undefined ? {} : { isError: failed }),
    ...(blob === undefined ? {} : { blob }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

const errorContext = { kind: 'terminal', rules: toolRules('Bash'), stderrIsError: true } as const

/** A process whose number the command wrote to a file. */
async function pidIn(root: string, file: string): Promise<number> {
  for (let tries = 0; tries < 12_000; tries += 1) {
    const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').trim() : ''
    if (text !== '') return Number(text)
    await sleep(10)
  }
  throw new Error(`${file} was not written`)
}

/** Waits in a shell until a process is what it was started for: it is called by what it runs only once it runs it. */
function untilSleeping(pid: string): string {
  return `[ ! -d /proc/self ] || until grep -qs sleep "/proc/${pid}/comm"; do sleep 0.02; done`
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 12_000 && isRunning(pid); tries += 1) await sleep(10)
  return !isRunning(pid)
}

describe('the output of a command', () => {
  it.each<[string, string, string]>([
    ['text', 'echo one; echo two', 'one\ntwo\n[exit code 0]'],
    ['a line without its end', 'printf one', 'one\n[exit code 0]'],
    ['nothing', 'true', '[exit code 0; no output]'],
    ['a failure', 'echo no >&2; exit 3', 'no\n[exit code 3]'],
    ['a failure without a word', 'false', '[exit code 1; no output]'],
    ['a command that is not there', 'no-such-thing 2>/dev/null', '[exit code 127; no output]'],
    ['a signal', 'kill -SEGV $$', '[exit code 139: ended by SIGSEGV; no output]'],
    [
      'both streams in order',
      'for n in 1 2 3; do echo $n; sleep 0.15; echo $n >&2; sleep 0.15; done',
      '1\n1\n2\n2\n3\n3\n[exit code 0]',
    ],
    ['colours', "printf '\\033[31mred\\033[0m\\n'", 'red\n[exit code 0]'],
    ['a progress bar', "printf '10%%\\r50%%\\r100%%\\n'", '100%\n[exit code 0]'],
    ['no text', "printf 'a\\000b\\377c'", 'ab\ufffdc\n[exit code 0; bytes that are not text are omitted or shown as \ufffd]'],
    ['letters of several bytes', "printf 'größe 漢字 🦀\\n'", 'größe 漢字 🦀\n[exit code 0]'],
    ['something from /dev/stderr', '{ echo x > /dev/stderr; echo y | tee /dev/stderr; } 2>&1', 'x\ny\ny\n[exit code 0]'],
    ['its input', 'cat; echo end', 'end\n[exit code 0]'],
    ['whether it has a terminal', '[ -t 0 ] || [ -t 1 ] || echo none', 'none\n[exit code 0]'],
    ['what bash alone can do', '[[ ab == a* ]] && echo bash', 'bash\n[exit code 0]'],
  ])('R004-15 %s', async (_, command, text) => {
    const result = await bash(command)
    expect(result.text).toBe(text)
  })

  it('is the same text every time', async () => {
    const root = temporaryFolder()
    const command = `ls; echo a; echo b >&2; sleep 30 >/dev/null 2>&1 & ${untilSleeping('$!')}; exit 4`
    const [first, second] = [await bash(command, { root }), await bash(command, { root })]
    expect(second.text).toBe(first.text)
  })

  it.each<[string, string, boolean, number]>([
    ['success', 'echo fine', false, 60],
    ['success with complaints', 'echo careful >&2', false, 60],
    ['failure', 'echo fine; exit 1', true, 60],
    ['a signal', 'kill -9 $$', true, 60],
    ['a time limit', 'sleep 1000', true, 0.3],
  ])('R004-15 %s is recognised by its text and by its flag', async (_, command, failed, seconds) => {
    const { outcome, text } = await bash(command, {}, { timeout_seconds: seconds })
    expect(outcome.isError === true).toBe(failed)
    expect(isError(partOf({ content: { type: 'text', text } }), errorContext)).toBe(failed)
  })

  it('R004-15 comes with numbers that no model sees', async () => {
    const { outcome } = await bash('echo 12345; seq 30 >&2; exit 2', { now: () => 5 })
    expect(outcome.metadata).toEqual({
      exitCode: 2,
      signal: null,
      durationMs: 0,
      timedOut: false,
      stdoutBytes: 6,
      stderrBytes: 81,
      stdout: '12345',
      stdoutLines: 1,
      stderrTail: Array.from({ length: 20 }, (_, index) => index + 11).join('\n'),
    })
  })

  it.each([
    ['in one piece', [`${numbers(1, 20_000)}\n`]],
    ['in pieces', [`${numbers(1, 1000)}\n`, `${numbers(1001, 20_000)}\n`]],
    ['cut in a line', [`${numbers(1, 1000)}\n10`, `01\n${numbers(1002, 20_000)}\n`]],
  ])('R004-15 Q-9c keeps the first and last lines of a long stdout beside the merged text: %s', async (_, pieces) => {
    const { context } = toolContext({ blobs: createBlobSink({ folder: temporaryFolder() }) })
    const collector = collectOutput(context)
    await collector.write('stderr', Buffer.from('warn\n'))
    for (const piece of pieces) await collector.write('stdout', Buffer.from(piece))
    const end = { kind: 'exited', exitCode: 0, signal: null, left: [], stuck: [] } as const
    const { metadata } = await collector.outcome(end, { durationMs: 0, seconds: 1, maxSeconds: 1 })
    const { stdout, stdoutLines, stderrTail } = metadata as { stdout: string; stdoutLines: number; stderrTail: string }
    const shown = stdout.split('\n').map(Number)
    expect([stdoutLines, stderrTail, shown.slice(0, 3), shown.at(-1)]).toEqual([20_000, 'warn', [1, 2, 3], 20_000])
    // Whole lines in order: none is cut, and none comes twice.
    expect(shown).toEqual(shown.toSorted((one, other) => one - other))
    expect(stdout.length).toBeLessThan(11_000)
  })

  it('R004-15 becomes a summary in an old round, with the last 20 lines of a failure', async () => {
    const { outcome } = await bash('seq 100; for n in $(seq 30); do echo "complaint $n" >&2; done; exit 2')
    const call: Message = {
      id: 'a',
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: 'c', tool: 'Bash', input: { command: 'make' } }],
    }
    const said = (id: string, role: 'user' | 'assistant'): Message => ({ id, role, parts: [{ type: 'text', text: id }] })
    const result: Message = { id: 'r', role: 'tool', parts: [{ ...partOf(outcome), isError: false }] }
    const messages = [said('u1', 'user'), call, result, said('a1', 'assistant'), said('u2', 'user')]
    const [edit] = compressOldResults.plan(messages, {})
    const digest = edit?.kind === 'replace' && edit.with.type === 'tool-result' ? JSON.stringify(edit.with.content) : ''
    expect(digest).toContain('exit_code')
    expect(digest).toContain('complaint 11')
    expect(digest).not.toContain('complaint 10\\')
    expect(digest).not.toContain('[exit code')
  })
})

describe('the environment of a command', () => {
  it('is the folder of the workspace, with the environment of the user', async () => {
    const root = temporaryFolder()
    const { text } = await bash('pwd; echo $MINE', { root, environment: { ...process.env, MINE: 'yes' } })
    expect(text).toBe(`${root}\nyes\n[exit code 0]`)
  })

  it('has no keys of models, no colours and no pager', async () => {
    const secret = 'sk-not-a-real-one'
    const environment = { ...process.env, OPENAI_API_KEY: secret, GEMINI_API_KEY: secret, FORCE_COLOR: '1', PAGER: 'less' }
    const { text } = await bash('env; echo "$PAGER $GIT_PAGER $TERM $NO_COLOR [$FORCE_COLOR]"', { environment })
    expect(text).not.toContain(secret)
    expect(text).toContain('\ncat cat dumb 1 []\n[exit code 0]')
  })

  it('is reported if the folder is gone, and nothing runs', async () => {
    const root = temporaryFolder()
    rmSync(root, { recursive: true })
    const { outcome, text } = await bash('echo ran', { root })
    expect(outcome.isError).toBe(true)
    expect(text).toBe(`Error: the folder of the workspace is gone: ${root}. Nothing was run; only the user can bring it back.`)
  })

  it('may disappear while the command runs', async () => {
    const root = temporaryFolder()
    const { text } = await bash(`rm -rf '${root}'; echo still here`, { root })
    expect(text).toBe('still here\n[exit code 0]')
  })

  it.each<[string, string, RegExp]>([
    ['too long a command', `echo ${'x'.repeat(3_000_000)}`, /more than the system takes\. Write it to a file/],
    ['a NUL', 'echo a\0b', /NUL character/],
  ])('rejects %s with a message', async (_, command, words) => {
    const { outcome, text } = await bash(command)
    expect(outcome.isError).toBe(true)
    expect(text).toMatch(words)
  })

  it.each<[string, object]>([
    ['no command', {}],
    ['an empty one', { command: '' }],
    ['a number', { command: 5 }],
    ['a limit that is none', { command: 'true', timeout_seconds: -1 }],
  ])('explains what is wrong with %s', async (_, input) => {
    const { context } = toolContext({ seen: createSeenFiles() })
    expect(textOf(await bashTool.run(input, context))).toMatch(/^Error: wrong arguments for Bash/)
  })
})

describe('the permission question', () => {
  it('shows the full command, so that allowing one does not allow another with the same start', async () => {
    const { context } = toolContext({ seen: createSeenFiles() })
    const asked = async (command: string) => [bashTool.about({ command }), await bashTool.preview?.({ command }, context)]
    expect(await asked('make test')).toEqual(['make test', null])
    expect(await asked('make\nrm -rf .')).toEqual(['make\nrm -rf .', 'make\nrm -rf .'])
  })
})

describe('the time limit of a command', () => {
  /** Runs a command with more and more time, until that is enough for it to begin. */
  async function begun(command: string, root: string) {
    for (let seconds = 0.5; ; seconds *= 4) {
      const ended = await bash(command, { root }, { timeout_seconds: seconds })
      if (ended.text.startsWith('begun\n')) return { ...ended, seconds }
      expect(seconds).toBeLessThan(60)
    }
  }

  it.each<[string, string]>([
    ['never ends', 'echo begun; sleep 1000'],
    ['ignores SIGTERM', "trap '' TERM; echo begun; while :; do sleep 0.1; done"],
    ['writes endlessly', 'yes begun'],
    ['runs in a separate group', 'set -m; echo begun; sleep 1000 & wait'],
    ['started a separate session', 'echo begun; setsid sleep 1000'],
  ])('ends it when it %s', async (_, command) => {
    const root = temporaryFolder()
    const { outcome, text, seconds } = await begun(`echo $$ > pid; ${command}`, root)
    expect(
      text
        .replace(/\n\[recall \w{12}\]$/, '')
        .split('\n')
        .at(-1),
    ).toBe(`[exit code 124: stopped at its time limit of ${seconds} s; timeout_seconds allows up to 600]`)
    expect(outcome).toMatchObject({ isError: true, metadata: { exitCode: 124, timedOut: true } })
    expect(await isGone(await pidIn(root, 'pid'))).toBe(true)
  })

  it('is at most the configured maximum', async () => {
    const settings = { shell: { timeout_seconds: 0.1, max_timeout_seconds: 0.3 } }
    expect((await bash('sleep 10', { settings }, { timeout_seconds: 100 })).text).toBe(
      '[exit code 124: stopped at its time limit of 0.3 s; no output]',
    )
    expect((await bash('sleep 10', { settings })).text).toContain('of 0.1 s; timeout_seconds allows up to 0.3')
  })

  it('does not delay a cancel, which ends everything it started', async () => {
    const root = temporaryFolder()
    const controller = new AbortController()
    const running = bash('setsid sleep 1000 & echo $! > pid; sleep 1000', { root, signal: controller.signal })
    const pid = await pidIn(root, 'pid')
    controller.abort(new Error('the user said stop'))
    await expect(running).rejects.toThrow('the user said stop')
    expect(await isGone(pid)).toBe(true)
  })

  it('does not start if the signal has fired', async () => {
    const root = temporaryFolder()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(bash('touch ran', { root, signal })).rejects.toThrow('too late')
    expect(readdirSync(root)).toEqual([])
  })
})

describe('a process that a command leaves running', () => {
  it.each<[string, string]>([
    ['holds its pipe', 'sleep 1000 & echo $! > pid'],
    ['holds nothing', 'sleep 1000 >/dev/null 2>&1 & echo $! > pid'],
    ['has a separate session and its pipe', 'setsid sleep 1000 & echo $! > pid'],
    ['forked twice', '( sleep 1000 & echo $! > pid )'],
    ['ignores SIGTERM', 'bash -c \'trap "" TERM; exec sleep 1000\' & echo $! > pid'],
  ])('is ended and named when it %s', async (_, command) => {
    const root = temporaryFolder()
    const { text } = await bash(`${command}; ${untilSleeping('$(cat pid)')}; echo done`, { root })
    expect(text).toBe(
      'done\n[exit code 0; what it left running was ended: sleep; setsid with the output in a file keeps a process]',
    )
    expect(await isGone(await pidIn(root, 'pid'))).toBe(true)
  })

  it('stays if it has a separate session and its output goes elsewhere', async () => {
    const root = temporaryFolder()
    const { text } = await bash('setsid sleep 1000 > log 2>&1 & echo $! > pid', { root })
    const pid = await pidIn(root, 'pid')
    onTestFinished(() => void process.kill(pid))
    expect({ text, runs: isRunning(pid) }).toEqual({ text: '[exit code 0; no output]', runs: true })
  })

  it('gets time to end on its own, and its last output is read', async () => {
    // On a machine that is very busy the time may not be enough.
    const words = async () => (await bash('echo first > >(sleep 0.1; cat; echo last); true')).text
    await expect.poll(words).toBe('first\nlast\n[exit code 0]')
  })

  it('does not include other processes: they keep running', async () => {
    const other = await bash('setsid sleep 1000 > /dev/null 2>&1 & echo $!')
    const pid = Number(other.text.split('\n')[0])
    onTestFinished(() => void process.kill(pid))
    await bash('sleep 1000 & sleep 1000', {}, { timeout_seconds: 0.2 })
    expect(isRunning(pid)).toBe(true)
  })
})

describe('users who watch', () => {
  it('see output as it is written, without terminal control sequences', async () => {
    const seen: ToolProgress[] = []
    let release: () => void = () => undefined
    const first = new Promise<void>((resolve) => {
      release = resolve
    })
    const progress = (piece: ToolProgress) => {
      seen.push(piece)
      release()
    }
    const root = temporaryFolder()
    const running = bash("printf '\\033[2J\\033[31mone'; until [ -e go ]; do sleep 0.02; done; echo two", { root, progress })
    await first
    expect(seen).toEqual([{ stage: 'output', message: 'one', progress: null }])
    writeFileSync(join(root, 'go'), '')
    await running
    expect(seen.map(({ message }) => message).join('')).toBe('onetwo\n')
  })

  it('get output at a limited rate', async () => {
    const { told } = await bash('yes a line | head -c 20000000')
    expect(told.length).toBeGreaterThan(0)
    expect(Math.max(...told.map(({ message }) => message.length))).toBeLessThanOrEqual(8192)
    expect(told.length).toBeLessThan(1000)
  })
})

describe('much output', () => {
  async function inSession(given: Parameters<typeof toolContext>[0] = {}) {
    const session = await createSession(temporarySessions())
    onTestFinished(() => session.close())
    return { session, given: { ...given, blobs: createBlobSink(session) } }
  }

  it('Q-9 becomes an extract whose handle recalls all of it, byte for byte', async () => {
    const { session, given } = await inSession()
    const { outcome, text } = await bash('seq 1 200000; echo "Error: it broke"; seq 200001 400000; exit 7', given)
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('')
    const whole = `${numbers(1, 200_000)}Error: it broke\n${numbers(200_001, 400_000)}[exit code 7]`
    expect(text.length).toBeLessThan(64_200)
    expect(text).toContain('200001: Error: it broke')
    expect(text).toContain(`recall ${handleOf(whole)}]`)
    expect(text.startsWith('1\n2\n3\n') && text.includes('\n400000\n[exit code 7]')).toBe(true)
    expect(outcome.blob).toMatchObject({ bytes: Buffer.byteLength(whole), handle: handleOf(whole) })
    const read = session.whole(partOf(outcome))
    expect('part' in read && read.part.content).toEqual({ type: 'text', text: whole })
    expect(isError(partOf({ content: outcome.content }), errorContext)).toBe(true)
  })

  it('Q-9 is processed, stored and recalled in little memory', async () => {
    const measured = runScript(new URL('../testing/measure-output.ts', import.meta.url), ['64000000', 'some line of a log'])
    const { bytes, recallPeakMegabytes } = JSON.parse((await measured.line()) ?? '') as OutputMeasurement
    expect(bytes).toBe(64_000_000 + '\n[exit code 0]'.length)
    expect(recallPeakMegabytes).toBeLessThan(220)
  })

  it('has no secrets if redaction is on, at any piece boundaries', async () => {
    const key = Buffer.from('not a real key, only its shape '.repeat(40))
      .toString('base64')
      .replaceAll(/(.{64})/g, '$1\n')
    const block = `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----\n`
    const root = temporaryFolder()
    writeFileSync(join(root, 'key'), `password = "hunter2hunter2"\n${block}${'a line of it\n'.repeat(3000)}`)
    const { session, given } = await inSession({ root, settings: { sessions: { redact_secrets: true } } })
    const { outcome, text } = await bash('for n in $(seq 60); do cat key; done', given)
    const read = session.whole(partOf(outcome))
    const whole = 'part' in read && read.part.content.type === 'text' ? read.part.content.text : ''
    expect(whole.match(/\[REDACTED:private-key\]/g)?.length).toBe(60)
    expect(whole.match(/\[REDACTED:password\]/g)?.length).toBe(60)
    expect(/hunter2|BEGIN RSA/.exec(whole + text)).toBeNull()
    expect(outcome.blob?.handle).toBe(handleOf(whole))
  })

  it('has no half of a secret where the end of stderr was cut', async () => {
    const settings = { sessions: { redact_secrets: true } }
    const { context } = toolContext({ settings, blobs: createBlobSink({ folder: temporaryFolder() }) })
    const collector = collectOutput(context)
    await collector.write('stderr', Buffer.from(`ghp_${'aB3d'.repeat(9)} ${'y'.repeat(8160)}\nlast\n`))
    const end = { kind: 'exited', exitCode: 0, signal: null, left: [], stuck: [] } as const
    const { metadata } = await collector.outcome(end, { durationMs: 0, seconds: 1, maxSeconds: 1 })
    expect(metadata?.['stderrTail']).toBe('last')
  })

  it('becomes an extract with a note if the disk is full', async () => {
    const { session, given } = await inSession()
    const full = () => Promise.reject(new Error('no space left on the disk'))
    const blobs: ToolContext['blobs'] = {
      ...given.blobs,
      spool: async () => ({ ...(await given.blobs.spool()), write: full }),
    }
    const { outcome, text } = await bash('seq 400000', { blobs })
    expect(outcome.blob).toBeUndefined()
    expect(text).not.toContain('recall')
    expect(text).toMatch(/\n400000\n\[exit code 0; only this extract of the output could be kept: no space left on the disk\]$/)
    expect(readdirSync(join(session.folder, 'blobs'))).toEqual([])
  })

  it('becomes an extract with a note if storing it fails', async () => {
    const { given } = await inSession()
    const blobs: ToolContext['blobs'] = {
      ...given.blobs,
      spool: async () => ({ ...(await given.blobs.spool()), finish: () => Promise.reject(new Error('a broken disk')) }),
    }
    const { outcome, text } = await bash('seq 400000', { blobs })
    expect(outcome.blob).toBeUndefined()
    expect(text).toMatch(/\n400000\n\[exit code 0; only this extract of the output could be kept: a broken disk\]$/)
  })

  it('leaves nothing on the disk if the call was cancelled', async () => {
    const { session, given } = await inSession()
    const controller = new AbortController()
    const running = bash('yes', { ...given, signal: controller.signal })
    const blobs = join(session.folder, 'blobs')
    for (let tries = 0; tries < 12_000 && !existsSync(blobs); tries += 1) await sleep(10)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(readdirSync(blobs)).toEqual([])
  })
})

describe('files that a command changed', () => {
  async function read(command: string, before: (root: string) => void = () => undefined) {
    const root = temporaryFolder()
    const file = join(root, 'a.ts')
    writeFileSync(file, 'one')
    const freshness = createFreshness({ root })
    freshness.read('a.ts', statSync(file).mtimeMs)
    before(root)
    await bash(command, { root, freshness })
    return freshness.read('a.ts', statSync(file).mtimeMs)
  }

  it('Q-40 count as changed by the agent', async () => {
    expect(await read('sleep 0.02; echo two > a.ts')).toBeNull()
  })

  it('Q-40 count as changed by someone else if they changed before it ran', async () => {
    expect(await read('true', (root) => utimesSync(join(root, 'a.ts'), 5, 5))).not.toBeNull()
    expect(await read('echo two > a.ts', (root) => utimesSync(join(root, 'a.ts'), 5, 5))).not.toBeNull()
  })

  it('Q-40 may be gone', async () => {
    expect(await read('rm a.ts; sleep 0.02; echo back > a.ts')).toBeNull()
  })
})
