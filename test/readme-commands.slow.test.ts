import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeAnswer, claudeLine, claudeUser, linesOf } from '../packages/node/src/logs/testing/recordings.ts'
import { type CodeBlock, codeBlocks, readPages } from './documents.ts'
import { root } from './source-files.ts'
import { isBuilt } from './workplace.ts'

/** Commands of a page that are run: to their end or, for servers, until the first answer. */
interface Commands {
  readonly name: string
  readonly page: string
  readonly kind: 'run' | 'serve'
  readonly code: string
  /** The output shown on the page. Empty if none is shown. */
  readonly output: string
}

const all = readPages().flatMap(({ path, text }) => commandsOf(path, codeBlocks(text)))
const chinese = 'README.zh.md'

describe('README in Chinese', () => {
  it('has the same commands, examples and outputs as the English one, with translated comments', () => {
    const [english, translated] = ['README.md', chinese].map((name) => {
      const page = readPages().find(({ path }) => path === name)
      return codeBlocks(page?.text ?? '').map(({ info, text }) => ({ info, text: withoutComments(text) }))
    })
    expect(translated).toEqual(english)
    expect(english?.length).toBeGreaterThanOrEqual(8)
  })
})

describe.runIf(isBuilt)('the commands in README and docs', () => {
  let place: Place
  beforeAll(async () => {
    place = await createPlace()
  })
  afterAll(() => place.remove())

  // Commands without output on the Chinese page are the same as on the English one, which runs them.
  const run = all.filter(({ page, output }) => page !== chinese || output !== '')

  it('exist in both languages', () => {
    expect(new Set(run.map(({ page }) => page))).toEqual(
      new Set(['README.md', chinese, 'docs/agent.md', 'docs/inspector.md', 'docs/sessions.md']),
    )
    expect(run.filter(({ kind }) => kind === 'serve').length).toBe(1)
  })

  it.each(run)('work: $name', async ({ kind, page, code, output }) => {
    const language = page === chinese ? 'zh_CN.UTF-8' : 'C'
    if (kind === 'serve') return expect(await place.serve(code, language)).toBe(200)
    const { status, stdout, stderr } = await place.run(code, language)
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringMatching(/error/i) })
    if (output !== '') expect(withoutIds(stdout)).toBe(withoutIds(output))
  })

  it('relay an agent byte for byte, and with --trim safe cut its long result', () => {
    const [watched, trimmed] = place.arrived.map((body, index) => ({ body, sent: place.sent(index) }))
    expect(watched?.body).toBe(watched?.sent)
    expect((trimmed?.body ?? '').length).toBeLessThan((trimmed?.sent ?? '').length / 2)
  })
})

describe('the check itself', () => {
  it('finds the blocks marked to run or to serve, each with the output that follows', () => {
    const page = '```sh run\nls # all\n```\n\nprints\n\n```text\nx\n```\n```sh\nnever\n```\n```sh serve\nstay\n```\n'
    expect(commandsOf('page', codeBlocks(page)).map(({ kind, code, output }) => ({ kind, code, output }))).toEqual([
      { kind: 'run', code: 'ls # all\n', output: 'x\n' },
      { kind: 'serve', code: 'stay\n', output: '' },
    ])
    expect(withoutComments('ls     # all\nls\n// why\n')).toBe('ls\nls\n//\n')
  })
})

function commandsOf(page: string, blocks: readonly CodeBlock[]): readonly Commands[] {
  return blocks.flatMap(({ info, text }, index) => {
    const kind = info === 'sh run' ? ('run' as const) : info === 'sh serve' ? ('serve' as const) : null
    if (kind === null) return []
    const next = blocks[index + 1]
    return [{ name: `${page}, block ${index + 1}`, page, kind, code: text, output: next?.info === 'text' ? next.text : '' }]
  })
}

function withoutComments(code: string): string {
  return code.replaceAll(/ +# .*$/gm, '').replaceAll(/^( *\/\/).*$/gm, '$1')
}

/** Session ids differ in each run. */
function withoutIds(text: string): string {
  return text.replaceAll(/\d{8}-\d{6}-[0-9a-z]{6}/g, 'ID')
}

/** A folder with everything the pages use: a conversation, a log of Claude Code, an agent named `claude`, and a provider. */
interface Place {
  readonly run: (code: string, language: string) => Promise<{ status: number | null; stdout: string; stderr: string }>
  /** Starts a server and returns the response of its address. */
  readonly serve: (code: string, language: string) => Promise<number>
  /** The request bodies the provider received. */
  readonly arrived: readonly string[]
  /** The nth request of the agent. */
  readonly sent: (index: number) => string
  readonly remove: () => void
}

/** Sends a new conversation with a very long command output each time, and records the request. */
const agent = `#!/usr/bin/env node
import { readdirSync, writeFileSync } from 'node:fs'
const count = readdirSync('.').filter((name) => name.startsWith('sent-')).length
const body = JSON.stringify({
  model: 'claude-sonnet-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'Does it build? ' + count },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't' + count, name: 'Bash', input: { command: 'make' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' + count, content: 'compiled one more module\\n'.repeat(2000) }] },
  ],
})
writeFileSync('sent-' + count + '.json', body)
const headers = { 'content-type': 'application/json', 'x-api-key': 'none', 'anthropic-version': '2023-06-01' }
await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })
`

const agentLog = linesOf([
  claudeLine('u1', null, 1, claudeUser('Where is the tide table kept?')),
  claudeLine('a1', 'u1', 2, claudeAnswer('m1', { type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: 'tide.ts' } })),
  claudeLine('r1', 'a1', 3, claudeUser([{ type: 'tool_result', tool_use_id: 'c1', content: 'high water\n'.repeat(200) }])),
  claudeLine('a2', 'r1', 4, claudeAnswer('m2', { type: 'text', text: 'In tide.ts.' })),
])

async function createPlace(): Promise<Place> {
  const folder = mkdtempSync(join(root, 'test/.commands-'))
  const arrived: string[] = []
  const provider = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      arrived.push(Buffer.concat(pieces).toString())
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"type":"message","role":"assistant","content":[],"usage":{"input_tokens":9000,"output_tokens":1}}')
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  mkdirSync(join(folder, '.claude/projects/-home-sam-shop'), { recursive: true })
  writeFileSync(join(folder, '.claude/projects/-home-sam-shop/shop-1.jsonl'), agentLog)
  copyFileSync(join(root, 'packages/node/example/conversation.json'), join(folder, 'conversation.json'))
  for (const name of ['bin', 'zh', '.config/plimsoll']) mkdirSync(join(folder, name), { recursive: true })
  const upstream = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  writeFileSync(join(folder, '.config/plimsoll/config.yaml'), `gateway: { upstreams: { anthropic: '${upstream}' } }\n`)
  const program = (name: string, text: string) => writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 })
  program('claude.mjs', agent)
  program('claude', `#!/bin/sh\nexec "${process.execPath}" "${join(folder, 'bin/claude.mjs')}"\n`)
  // The command that npx would find in a clone.
  program('npx', `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(root, 'packages/node/bin/plimsoll.js')}" "$@"\n`)
  const start = (code: string, language: string) =>
    spawn('bash', ['-ec', code], {
      cwd: language === 'C' ? folder : join(folder, 'zh'),
      // A separate process group, so that the shell and its children can be ended together.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        HOME: folder,
        XDG_STATE_HOME: join(folder, 'state'),
        LANG: language,
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        PLIMSOLL_GATEWAY__LIMITS__PLAN_MILLISECONDS: '120000',
      },
    })
  return {
    arrived,
    sent: (index) => readFileSync(join(folder, `sent-${index}.json`), 'utf8'),
    run: (code, language) =>
      new Promise((resolve, reject) => {
        const child = start(code, language)
        let [stdout, stderr] = ['', '']
        child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece))
        child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece))
        child.once('error', reject)
        child.once('close', (status) => resolve({ status, stdout, stderr }))
      }),
    serve: async (code, language) => {
      const child = start(code, language)
      const ended = new Promise((resolve) => child.once('close', resolve))
      try {
        const address = await new Promise<string>((resolve, reject) => {
          let printed = ''
          child.stdout.setEncoding('utf8').on('data', (piece: string) => {
            printed += piece
            const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed)
            if (found !== null) resolve(found[0])
          })
          child.once('close', () => reject(new Error(`it ended: ${printed}`)))
        })
        return (await fetch(address)).status
      } finally {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
        await ended
      }
    },
    remove() {
      provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
