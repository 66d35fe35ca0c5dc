import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkView, codecs, type Message, resultText } from '@plimsoll/core'
import { isRecord, messageText } from '@plimsoll/core/text'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireDialect } from '../packages/node/src/store/gateway-record.ts'
import { type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import type { Reply } from './gateway/reply.ts'
import { packAdapters, packPackages } from './pack-packages.ts'
import { shareInFile, whenOver } from './share-in-file.ts'
import { root } from './source-files.ts'

const question = 'Run make. Why does the build fail?'
const log = Array.from({ length: 2000 }, (_, line) => `compiled module ${line + 1}`)
const wanted = { first: 1490, last: 1510 }
const prompts = 12

/** The output and requests of an example. */
interface Ran {
  readonly status: number | null
  readonly output: string
  readonly trouble: string
  /** The received request bodies. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[]
}

const loops = ['hand-written-loop', 'openai', 'ai-sdk', 'langchain'] as const
const singles = ['custom-policy', 'custom-tool-row'] as const
const examples = [...loops, 'anthropic', ...singles] as const
type Example = (typeof examples)[number]

let upstream: FakeUpstream
let ran: Readonly<Record<Example, Ran>>
const project = shareInFile(installExamples)

beforeAll(async () => {
  // Each example uses its name as API key, which tells its requests from the others'.
  upstream = await startFakeUpstream(({ key, body }, number) => replyTo(key as Example, number, body.toString()))
  const all = await Promise.all(examples.map(async (name) => [name, await run(name)] as const))
  ran = Object.fromEntries(all) as Record<Example, Ran>
})

afterAll(() => upstream.close())

describe('the examples', () => {
  it('have a test each', () => {
    const parts = ['langchain-chat-model']
    const files = readdirSync(`${root}/examples`).filter((file) => file.endsWith('.ts'))
    expect(files.sort()).toEqual([...examples, ...parts].map((name) => `${name}.ts`).sort())
  })

  it('appear in their README, which shows the output of the first one', () => {
    const page = readFileSync(`${root}/examples/README.md`, 'utf8')
    expect(examples.filter((name) => !page.includes(`(${name}.ts)`))).toEqual([])
    expect(page).toContain(`\n\`\`\`text\n${ran.openai.output}\`\`\`\n`)
  })

  it.each(examples)('%s exits with 0 and prints no warnings', (name) => {
    const { status, trouble } = ran[name]
    expect({ status, trouble }).toEqual({ status: 0, trouble: '' })
  })

  it('compile against the packed packages', async () => {
    const typescript = `${root}/node_modules/typescript/bin/tsc`
    expect(await start([typescript, '-p', project()], {})).toEqual({ status: 0, output: '', trouble: '' })
  })
})

describe.each(loops)('%s', (name) => {
  it('prints what was trimmed and how many tokens that saved', () => {
    // The AI SDK and LangChain pass the instructions separately, so message numbers are lower by one.
    const [cut, repeated] = name === 'ai-sdk' || name === 'langchain' ? [2, 6] : [3, 7]
    expect(ran[name].output).toBe(`request 1: 28 tokens, sent as 28
request 2: 11385 tokens, sent as 858
  message ${cut}: long output: 40,918 characters shown as 2,808
request 3: 12641 tokens, sent as 2114
  message ${cut}: long output: 40,918 characters shown as 2,808
request 4: 13897 tokens, sent as 2176
  message ${cut}: long output: 40,918 characters shown as 2,808
  message ${repeated}: 120 lines are shown in an earlier result
request 5: 14095 tokens, sent as 2374
  message ${cut}: long output: 40,918 characters shown as 2,808
  message ${repeated}: 120 lines are shown in an earlier result
answer: quantity is not defined
`)
  })

  it('sends trimmed results with the important line and a recall handle', () => {
    const [long, , again] = resultsIn(lastOf(name))
    expect(long).toContain('src/cart.ts:12: error: quantity is not defined')
    expect(long).toMatch(/recall [0-9a-f]{12}/)
    expect(long?.length).toBeLessThan(4000)
    expect(again).toMatch(/^\[120 lines as shown above: read_file src\/cart\.ts, lines 1-120; recall [0-9a-f]{12}\]$/)
  })

  it('recalls the trimmed lines byte for byte', () => {
    const [, ...recalled] = resultsIn(lastOf(name))[3]?.split('\n') ?? []
    expect(recalled).toEqual(log.slice(wanted.first - 1, wanted.last))
  })

  it('leaves user messages unchanged and every call with its result', () => {
    for (const body of ran[name].bodies) {
      const messages = read('openai-chat', body)
      expect(messages.filter(({ role }) => role === 'user').map(messageText)).toEqual([question])
      expect(checkView(messages)).toEqual([])
    }
  })

  it('starts each request with the previous one unchanged, so that the cache stays valid', () => {
    const { bodies } = ran[name]
    expect(bodies.length).toBe(5)
    for (const [index, body] of bodies.entries()) {
      const { messages, ...around } = body
      const next = bodies[index + 1] ?? body
      expect((next['messages'] as readonly unknown[]).slice(0, (messages as readonly unknown[]).length)).toEqual(messages)
      expect({ ...next, messages: null }).toEqual({ ...around, messages: null })
    }
  })
})

describe('anthropic', () => {
  it('prints what was trimmed and which edits are pending', () => {
    const lines = ran.anthropic.output.split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'request 1: 35 tokens, sent as 35; 0 edits pending',
      'request 2: 2099 tokens, sent as 2099; 0 edits pending',
      'request 3: 28328 tokens, sent as 2959; 0 edits pending',
      '  cut-long-output: 1 edits, 25369 tokens less',
    ])
    expect(lines.at(-4)).toMatch(/^request 13: \d+ tokens, sent as \d+; [1-9]\d* edits pending$/)
    expect(lines.at(-2)).toBe('answer: quantity is not defined')
  })

  it('keeps the cache marks on the system prompt and on the last message', () => {
    for (const { system, messages } of ran.anthropic.bodies) {
      expect(marksIn(system)).toBe(1)
      const list = messages as readonly unknown[]
      expect(list.map(marksIn)).toEqual(list.map((_, index) => (index > 0 && index === list.length - 1 ? 1 : 0)))
    }
  })

  it('leaves cached content unchanged except for the moving cache mark', () => {
    const sent = ran.anthropic.bodies.map(({ messages }) => withoutMarks(messages) as readonly unknown[])
    expect(sent.length).toBe(prompts + 1)
    for (const [index, messages] of sent.entries())
      expect((sent[index + 1] ?? messages).slice(0, messages.length)).toEqual(messages)
  })

  it('sends trimmed results, and every call with its result', () => {
    const messages = lastOf('anthropic', 'anthropic')
    expect(checkView(messages)).toEqual([])
    expect(resultsIn(messages).filter((text) => text.includes('error: quantity')).length).toBe(prompts / 2)
    expect(Math.max(...resultsIn(messages).map((text) => text.length))).toBeLessThan(8000)
  })
})

describe('custom-policy', () => {
  it('sends the shortened text with a recall handle', () => {
    const shown = 'Pulling app\nStatus: downloaded newer image\n[300 lines of progress left out; recall f97412be8bbd]'
    expect(ran['custom-policy'].output).toBe(
      `1265 tokens, sent as 68\n  message 2: hide-progress, 300 lines of progress\n${shown}\nanswer: Yes.\n`,
    )
    expect(resultsIn(lastOf('custom-policy'))).toEqual([shown])
  })
})

describe('custom-tool-row', () => {
  it('trims a custom tool by its table row', () => {
    expect(ran['custom-tool-row'].output).toBe(`without the row: 1946 tokens, sent as 1946
with the row: 1946 tokens, sent as 1474
  message 2: trim-repeated-reads, the 5 latest reads of this file are kept
  message 4: trim-repeated-reads, the 5 latest reads of this file are kept
answer: Yes.
`)
    const older = '[an older copy: see the latest one below]'
    const results = resultsIn(lastOf('custom-tool-row'))
    expect(results.map((text) => text === older)).toEqual([true, true, false, false, false, false, false])
  })
})

/** The model's answers: run a build, read a file twice, recall trimmed lines, and explain the failure. */
function replyTo(example: Example, number: number, body: string): Reply {
  if (example === 'custom-policy' || example === 'custom-tool-row') return { text: 'Yes.' }
  const done: Reply = { text: 'quantity is not defined' }
  if (example === 'anthropic') {
    const call =
      number % 2 === 0
        ? { name: 'read_file', input: { path: `src/part${number}.ts` } }
        : { name: 'bash', input: { command: `make ${number}` } }
    return number < prompts ? { calls: [{ id: `toolu_${number}`, ...call }] } : done
  }
  const [, handle = ''] = /recall ([0-9a-f]{12})/.exec(body) ?? []
  const calls = [
    { id: 'call_make', name: 'bash', input: { command: 'make' } },
    { id: 'call_read', name: 'read_file', input: { path: 'src/cart.ts' } },
    { id: 'call_again', name: 'read_file', input: { path: 'src/cart.ts' } },
    { id: 'call_recall', name: 'recall', input: { handle, lines: `${wanted.first}-${wanted.last}` } },
  ]
  const call = calls[number]
  return call === undefined ? done : { text: `Step ${number}.`, calls: [call] }
}

/** A project outside the repository with the examples, and Plimsoll's packages as they would be published. Other packages are linked. */
async function installExamples(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-examples-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(`${root}/examples`, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(`${root}/node_modules`))
    if (name !== '@plimsoll' && !name.startsWith('.')) symlinkSync(`${root}/node_modules/${name}`, join(modules, name))
  const [core] = await packPackages()
  for (const { name, tarball } of [core, ...(await packAdapters())]) {
    mkdirSync(join(modules, name), { recursive: true })
    await promisify(execFile)('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, name)])
  }
  return folder
}

async function run(name: Example): Promise<Ran> {
  const ended = await start([join(project(), `${name}.ts`)], {
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    OPENAI_API_KEY: name,
    ANTHROPIC_BASE_URL: upstream.url,
    ANTHROPIC_API_KEY: name,
  })
  return { ...ended, bodies: upstream.of(name).map(({ body }) => JSON.parse(body.toString()) as Ran['bodies'][number]) }
}

function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Pick<Ran, 'status' | 'output' | 'trouble'>> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, args, { env: { PATH, NODE_COMPILE_CACHE, ...environment } })
  let output = ''
  let trouble = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (trouble += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output, trouble }))
  })
}

function lastOf(name: Example, dialect: WireDialect = 'openai-chat'): readonly Message[] {
  return read(dialect, ran[name].bodies.at(-1) ?? {})
}

function read(dialect: WireDialect, body: unknown): readonly Message[] {
  return codecs[dialect].read(body).messages
}

function resultsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [resultText(part)] : [])))
}

function marksIn(value: unknown): number {
  return JSON.stringify(value).split('"cache_control"').length - 1
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (!isRecord(value)) return value
  const left = Object.entries(value).filter(([name]) => name !== 'cache_control')
  return Object.fromEntries(left.map(([name, field]) => [name, withoutMarks(field)]))
}
