import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { preservedLines } from '../../logs/testing/preserved-log.ts'
import { linesOf } from '../../logs/testing/recordings.ts'
import { priceRows } from '../../replay/bill/price-rows.ts'
import type { BriefSummary } from '../../replay/brief-summary.ts'
import { policySets } from '../../replay/policy-sets.ts'
import type { ReplaySummary } from '../../replay/replay-summary.ts'
import { recordedFile } from '../../replay/testing/recorded-file.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const binary = fileURLToPath(new URL('../../../bin/plimsoll.js', import.meta.url))
const isBuilt = existsSync(new URL('../../../dist/replay/replay-worker.js', import.meta.url))
const { replay: strings, command, sessionCommands } = stringsFor('en')
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const few = ['--policies', 'spec-immediate,oracle', '--prices', 'r.10,r.05']

describe('plimsoll replay', () => {
  it('prints tables, the tier and the assumption', async () => {
    const folder = folderOf({ 'one.json': recordedFile(30) })
    const { code, stdout } = await runCaptured(['replay', folder.path, ...few])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^1 session replayed, 31 requests\n/)
    expect(stdout).toMatch(/^raw +0 +0 +0 +0 +1 +1 +0 +1 +0$/m)
    expect(stdout).toMatch(/^oracle +-\d/m)
    expect(oneLine(stdout)).toContain(strings.tier('0', '1', '1'))
    expect(oneLine(stdout)).toContain(strings.assumption)
  })

  it('replays all logs of agents on this machine if no path is given', async () => {
    const { path: home } = folderOf({})
    mkdirSync(join(home, '.claude/projects/-shop'), { recursive: true })
    writeFileSync(join(home, '.claude/projects/-shop/one.jsonl'), linesOf(preservedLines))
    const here = await runCaptured(['replay', '--json'], { environment: { HOME: home } })
    const named = await runCaptured(['replay', join(home, '.claude/projects'), '--json'])
    const [mine, same] = [here, named].map(({ stdout }) => JSON.parse(stdout) as BriefSummary)
    expect([here.code, mine?.sessions, mine?.requests]).toEqual([0, 1, same?.requests])
    const nowhere = await runCaptured(['replay'])
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining(strings.nothingRead)])
  })

  it('prints every policy set and price row as JSON, grouped by session length', async () => {
    const folder = folderOf({ 'one.json': recordedFile(2), 'two.json': recordedFile(20) })
    const { code, stdout } = await runCaptured(['replay', folder.path, '--full', '--json'])
    const summary = JSON.parse(stdout) as ReplaySummary
    expect(code).toBe(0)
    expect(summary.policySets.map(({ name }) => name)).toEqual(policySets.map(({ name }) => name))
    expect(summary.strata.map(({ name, sessions }) => [name, sessions])).toEqual([
      ['>100', 0],
      ['20-100', 1],
      ['<20', 1],
    ])
    for (const { policySets: sets } of [summary, ...summary.strata]) {
      for (const { prices, ...set } of sets) {
        expect(prices.map(({ model }) => model)).toEqual(priceRows.map(({ name }) => name))
        for (const { model: _model, worstSession: _worst, ...figures } of prices) {
          const { cachedReadMultiple, bill, change, effectiveChange, worstSessionChange } = figures
          const all = [cachedReadMultiple, bill, change, effectiveChange, worstSessionChange]
          expect(all.every(Number.isFinite)).toBe(true)
        }
        const { needs, inView, reachable, lost, editsWhole } = set.retention
        const { peakChange, hitRatio, latencyMs } = set
        expect([needs, inView, reachable, lost, editsWhole, peakChange, hitRatio].every(Number.isFinite)).toBe(true)
        expect(latencyMs.p99).toBeGreaterThanOrEqual(latencyMs.p50)
      }
    }
    expect(summary.policySets.flatMap(({ name, invalid }) => invalid.map((session) => [name, session]))).toEqual([])
    expect(summary.unreadable).toEqual([])
  })

  it('gives a verdict on the sessions at their own prices first, then the reasons and where to find more', async () => {
    const folder = folderOf({ 'one.json': recordedFile(30), 'two.json': recordedFile(8).replace('gpt-5.5', 'unheard-of') })
    const { code, stdout } = await runCaptured(['replay', folder.path], { environment: { COLUMNS: '110' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^This session cost \$\d\S+ at API prices\.\nWith the Plimsoll library, in economy mode: \$\d\S+ \([−+][\d.]+ %\); nothing lost, \d+ recalls?\.\n/,
    )
    expect(oneLine(stdout)).toContain(strings.brief.unpriced(1, 'unheard-of', 'plimsoll prices unheard-of'))
    expect(stdout).toMatch(new RegExp(`^${strings.brief.reasons}\n(?:  \\S.* [−+]\\$[\\d.]+\n)+\n`, 'm'))
    expect(stdout).toMatch(/^ {2}openai-chat · gpt-5\.5 \(1\) +\$[\d.]+ +→ \$[\d.]+ +[−+][\d.]+ %$/m)
    expect(stdout).toMatch(/^ {2}openai-chat · unheard-of \(1\) +[\d.]+k tokens +→ [\d.]+k tokens +[−+][\d.]+ %$/m)
    expect(stdout.trimEnd().endsWith(strings.brief.full)).toBe(true)
  })

  it('adds up to the verdict in JSON, for each session and for each reason', async () => {
    const folder = folderOf({ 'one.json': recordedFile(21), 'two.jsonl': linesOf(preservedLines) })
    const { stdout } = await runCaptured(['replay', folder.path, '--json'])
    const { perSession, dollars, groups } = JSON.parse(stdout) as BriefSummary
    expect(new Map(perSession.map(({ entry, price }) => [entry, price]))).toEqual(
      new Map([
        ['gateway', 'r.10'],
        ['library', 'gpt-5.5'],
      ]),
    )
    const priced = perSession.filter(({ isPriced }) => isPriced)
    expect([priced.length, groups.length]).toEqual([1, 2])
    expect(dollars?.recorded).toBeCloseTo(priced[0]?.recorded ?? 0, 12)
    expect(dollars?.effective).toBeCloseTo(priced[0]?.effective ?? 0, 12)
    const { saved = {}, rewritten = 0, recallTool = 0, recalls = 0, recorded = 0 } = dollars ?? {}
    const savings = Object.values(saved).reduce((sum, amount) => sum + amount, 0)
    expect(savings).toBeGreaterThan(0)
    expect(recorded - savings + rewritten + recallTool + recalls).toBeCloseTo(dollars?.effective ?? 0, 9)
  })

  it('stops at Ctrl-C and shows the sessions that are done', async () => {
    const folder = folderOf({ 'one.json': recordedFile(3), 'two.json': recordedFile(30) })
    const stop = new AbortController()
    stop.abort()
    const { code, stdout, stderr } = await runCaptured(['replay', folder.path, '--json'], { interrupted: stop.signal })
    const { sessions, found } = JSON.parse(stdout) as BriefSummary
    expect([code, sessions, found]).toEqual([130, 0, 1])
    expect(stderr).toContain(strings.stopped('0', '1'))
  })

  it.runIf(isBuilt)('prints progress with figures to a file, and at Ctrl-C the sessions that are done', async () => {
    const folder = folderOf({
      '0-short.json': recordedFile(3),
      ...Object.fromEntries([...Array(4).keys()].map((index) => [`${index}.json`, recordedFile(500)])),
    })
    const child = spawn(process.execPath, [binary, 'replay', '.'], {
      cwd: folder.path,
      env: { ...process.env, HOME: folder.path, LANG: 'C' },
    })
    const written = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      written.stderr += text
      // A second signal would end the process at once.
      if (!child.killed && written.stderr.includes('requests replayed ·')) child.kill('SIGINT')
    })
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(130)
    expect(written.stderr).toMatch(/\d of \d,\d+ requests replayed · [\d.]+[kM] → [\d.]+[kM] tokens · \$/)
    expect(written.stderr).toMatch(/Stopped: [1-4] of 5 sessions replayed\./)
    expect(written.stdout).toMatch(/^(?:This session|These [2-4] sessions) cost \$\d/)
  })

  it('names sessions whose token counts do not match the provider’s', async () => {
    const unread = preservedLines.map((line) => ({ ...line, isCompactSummary: false }))
    const folder = folderOf({ 'good.jsonl': linesOf(preservedLines), 'bad.jsonl': linesOf(unread.map(withoutKept)) })
    const { stdout } = await runCaptured(['replay', folder.path, ...few])
    expect(oneLine(stdout)).toContain(strings.mismatched(1))
    expect(oneLine(stdout)).toContain(strings.mismatches['sent-too-much']('bad.jsonl'))
    expect(stdout).not.toContain('good.jsonl:')
    const { perSession } = JSON.parse((await runCaptured(['replay', folder.path, ...few, '--json'])).stdout) as ReplaySummary
    const found = new Map(perSession.map(({ name, mismatch }) => [name.replace(/^.*\//, ''), mismatch ?? null]))
    expect(found).toEqual(
      new Map([
        ['good.jsonl', null],
        ['bad.jsonl', 'sent-too-much'],
      ]),
    )
  })

  it('reads what it can from a mixed folder and lists the rest', async () => {
    const folder = folderOf({
      'good.json': recordedFile(5),
      'empty.jsonl': '',
      'torn.json': '{"messages": [{"role": "user", "content": "he',
      'claude.jsonl': `${claudeLine('u', null, 'user')}\nnot json\n${claudeLine('a', 'u', 'assistant')}\n`,
      'asked.json': '{"messages": [{"role": "user", "content": "hello"}]}',
    })
    mkdirSync(join(folder.path, 'deeper'))
    symlinkSync(folder.path, join(folder.path, 'deeper', 'loop'))
    const { code, stdout } = await runCaptured(['replay', folder.path, ...few, '--json'])
    const { sessions, unreadable } = JSON.parse(stdout) as ReplaySummary
    expect([code, sessions]).toEqual([0, 2])
    expect(unreadable.map(({ path, reason, entries }) => [path.split('/').at(-1), entries ?? typeof reason])).toEqual([
      ['empty.jsonl', 'string'],
      ['torn.json', 'string'],
      ['claude.jsonl', 1],
      ['asked.json', 'string'],
    ])
    const shown = await runCaptured(['replay', folder.path, ...few])
    expect(shown.stdout).toContain(strings.unreadable(4))
    expect(shown.stdout).toContain(strings.unreadableEntries('claude.jsonl', '1'))
  })

  it.each([
    ['a missing file', ['missing.json']],
    ['an empty folder', ['.']],
  ])('exits with 1 if nothing can be read: %s', async (_name, paths) => {
    const folder = folderOf({})
    const { code, stderr } = await runCaptured(['replay', ...paths, ...few], { folder: folder.path })
    expect([code, stderr]).toEqual([1, expect.stringContaining(strings.nothingRead)])
  })

  it.each([
    ['an unknown price row before a path', ['--prices', 'nope', 'broken.jsonl'], strings.unknownPriceRow('"nope"', 'r.10, ')],
    ['an unknown policy set', ['.', '--policies', 'economi'], strings.unknownPolicySet('"economi"', 'raw, ')],
    ['an unknown price row', ['.', '--prices', 'r.5'], command.didYouMean('r.05')],
    ['an invalid number of sessions', ['.', '--sessions', 'many'], strings.badSessions('"many"')],
    ['no sessions', ['.', '--sessions', '0'], strings.badSessions('"0"')],
    ['an unknown option', ['.', '--quick'], '--quick'],
  ])('exits with 2 for %s', async (_name, args, expected) => {
    const { code, stdout, stderr } = await runCaptured(['replay', ...args])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(expected)
  })

  it('explains in its help what --force replaces', async () => {
    const { stdout } = await runCaptured(['replay', '--help'])
    expect(stdout).toContain(strings.help.force)
    expect(stdout).toContain('--policies economy,spec')
  })

  it('does not suggest standard input, which it does not read', async () => {
    const folder = folderOf({})
    const { code, stdout } = await runCaptured(['replay', 'nowhere'], { folder: folder.path })
    expect([code, stdout.trim().split('\n').at(-1)]).toEqual([1, `  ${strings.notFound('nowhere')}`])
  })

  it('limits the number of sessions', async () => {
    const folder = folderOf({ 'a.json': recordedFile(3), 'b.json': recordedFile(3), 'c.json': recordedFile(3) })
    const { stdout } = await runCaptured(['replay', '.', ...few, '--sessions', '2', '--json'], { folder: folder.path })
    expect((JSON.parse(stdout) as ReplaySummary).perSession.map(({ name }) => name)).toEqual(['a.json', 'b.json'])
  })

  it('writes a page, and replaces one only with --force', async () => {
    const folder = folderOf({ 'a.json': recordedFile(3) })
    const args = ['replay', 'a.json', ...few, '--html', 'out.html']
    const first = await runCaptured(args, { folder: folder.path })
    expect(first.stderr).toMatch(/Wrote out\.html \(/)
    const page = readFileSync(join(folder.path, 'out.html'), 'utf8')
    expect(page).toMatch(/^<!doctype html>/)
    // The verdict comes before the tables, on the screen and in the page.
    for (const text of [first.stdout, page.slice(page.indexOf('</h1>') + 5).replace(/^\s*<p><strong>/, '')])
      expect(text).toMatch(/^This session cost \$\d\S+ at API prices\./)
    const second = await runCaptured(args, { folder: folder.path })
    expect([second.code, second.stderr.includes(sessionCommands.fileExists('out.html'))]).toEqual([1, true])
    // Reported before anything is replayed.
    expect(second.stdout).toBe('')
    expect((await runCaptured([...args, '--force'], { folder: folder.path })).code).toBe(0)
  })

  it('speaks Chinese', async () => {
    const folder = folderOf({ 'a.json': recordedFile(3) })
    const { stdout } = await runCaptured(['replay', 'a.json', ...few], {
      folder: folder.path,
      environment: { LANG: 'zh_CN.UTF-8' },
    })
    expect(stdout).toMatch(/^已重放 1 个会话，共 4 次请求\n/)
    expect(stdout).toContain(stringsFor('zh').replay.assumption.slice(0, 3))
  })

  it('uses colours on a terminal unless they are turned off', async () => {
    const folder = folderOf({ 'a.json': recordedFile(3) })
    const coloured = await runCaptured(['replay', 'a.json', ...few], { folder: folder.path, terminal: 100 })
    expect(coloured.stdout).toContain('\u001b[1m')
    const plain = await runCaptured(['replay', 'a.json', ...few], {
      folder: folder.path,
      terminal: 100,
      environment: { NO_COLOR: '1' },
    })
    expect(plain.stdout).not.toContain('\u001b')
  })

  it('removes control characters from file names', async () => {
    const folder = folderOf({ 'a\u001b[31m.json': recordedFile(3), 'b\u001b[31m.json': '{' })
    for (const format of [[], ['--json']]) {
      const { stdout, stderr } = await runCaptured(['replay', '.', ...few, ...format], { folder: folder.path })
      expect(stdout + stderr).not.toContain('\u001b')
    }
  })

  it.runIf(isBuilt)('works in the built package', async () => {
    const folder = folderOf({ 'a.json': recordedFile(3) })
    const { stdout } = await promisify(execFile)(process.execPath, [binary, 'replay', 'a.json', ...few, '--json'], {
      cwd: folder.path,
    })
    expect((JSON.parse(stdout) as ReplaySummary).sessions).toBe(1)
  })
})

function folderOf(files: Readonly<Record<string, string>>): ReturnType<typeof createFolder> {
  const folder = createFolder()
  onTestFinished(folder.remove)
  for (const [name, content] of Object.entries(files)) folder.write(name, content)
  return folder
}

/** The line of a compaction without the messages it kept. */
function withoutKept(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'compactMetadata' in line ? { ...line, compactMetadata: {} } : line
}

function claudeLine(uuid: string, parentUuid: string | null, role: 'user' | 'assistant'): string {
  const content = role === 'user' ? 'hello' : [{ type: 'text', text: 'hello' }]
  const message = { id: uuid, role, content, model: 'claude-opus-4-5' }
  return JSON.stringify({ type: role, uuid, parentUuid, sessionId: 's', timestamp: '2026-01-31T09:00:00Z', message })
}
