import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@plimsoll/core/policies'
import { writeRequest } from '@plimsoll/core/wire'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ToolOutcome } from '../../shared/event.ts'
import { listen, serveOlderTools, serveTestTools } from '../testing/mcp-http-server.ts'
import { temporaryFolder, toolContext } from '../testing/tool-context.ts'
import type { Tool, ToolContext } from '../tool.ts'
import { connectMcpServers, type McpOptions } from './mcp-servers.ts'

const program = fileURLToPath(new URL('../testing/mcp-program.ts', import.meta.url))
const env = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }
const good = (way = 'good'): McpServer => ({ command: process.execPath, args: [program, way], env })

async function connect(servers: Readonly<Record<string, McpServer>>, more: Partial<McpOptions> = {}) {
  const troubles: string[] = []
  const { tools, close } = await connectMcpServers(servers, {
    environment: { PATH: process.env['PATH'] },
    root: more.root ?? temporaryFolder(),
    signal: new AbortController().signal,
    onProblem: (sentence) => troubles.push(sentence),
    startSeconds: 240,
    ...more,
  })
  onTestFinished(close)
  const run = (name: string, input: unknown = {}, given: Partial<ToolContext> = {}) =>
    named(tools, name).run(input, toolContext(given).context)
  return { tools, troubles, close, run, names: tools.map(({ name }) => name) }
}

function named(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name)
  if (found === undefined) throw new Error(`no ${name} among ${tools.map((tool) => tool.name).join(', ')}`)
  return found
}

function textOf({ content }: ToolOutcome): string {
  return content.type === 'text' ? content.text : JSON.stringify(content)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits for something that happens in another process. */
async function until(happened: () => boolean): Promise<void> {
  for (let tries = 0; !happened(); tries += 1) {
    if (tries > 20_000) throw new Error('it did not happen')
    await sleep(10)
  }
}

describe('a server that is a program', () => {
  it('offers its tools under unique names, which ask first unless they are allowed', async () => {
    const { tools, troubles } = await connect({ files: { ...good(), allow: ['echo'] } })
    expect(troubles).toEqual([])
    expect(named(tools, 'mcp__files__echo')).toMatchObject({
      description: 'Says it again.',
      access: 'read',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    })
    expect(named(tools, 'mcp__files__fail').access).toBe('run')
    expect(named(tools, 'mcp__files__echo').about({ text: 'a' })).toBe('{"text":"a"}')
  })

  it('is called, and its answers become outcomes', async () => {
    const { run } = await connect({ files: good() })
    expect(await run('mcp__files__echo', { text: 'hello' })).toEqual({ content: { type: 'text', text: 'echo: hello' } })
    expect(await run('mcp__files__fail')).toEqual({ content: { type: 'text', text: 'it does not work' }, isError: true })
    expect(await run('mcp__files__data')).toEqual({ content: { type: 'text', text: '{ "count": 3 }' } })
    expect(await run('mcp__files__echo', { text: 5 })).toMatchObject({ isError: true })
    expect(await run('mcp__files__echo', 'no object')).toMatchObject({ isError: true })
  })

  it('shows images in the form sent to the model, and mentions content that no model is shown', async () => {
    const { run } = await connect({ files: good() })
    const outcome = await run('mcp__files__mixed')
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } }
    expect(outcome).toEqual({
      content: {
        type: 'list',
        items: [
          { type: 'text', text: 'a picture:' },
          { type: 'media', mediaType: 'image/png', data: file },
          { type: 'text', text: '[resource file:///a.txt: a: the first]' },
          { type: 'text', text: 'file:///b.txt:\ntext of b' },
          { type: 'text', text: '[audio/wav, 3 bytes, kept in the session]' },
        ],
      },
      metadata: { blobs: [{ sha256: expect.any(String), bytes: 3 }] },
    })
    const request = writeRequest(
      'ai-sdk',
      [
        { id: 'u', role: 'user', parts: [{ type: 'text', text: 'show' }] },
        { id: 'a', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'x', input: {} }] },
        { id: 'r', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: 'x', content: outcome.content }] },
      ],
      { model: 'any' },
    )
    expect(JSON.stringify(request)).toContain(JSON.stringify(file))
  })

  it('sees only a few basic variables and its own, with keys from the environment', async () => {
    const server = { ...good(), env: { TOKEN: 'Bearer ${SECRET}', PLAIN: '$SECRET' } }
    const environment = { PATH: process.env['PATH'], HOME: '/home/me', SECRET: 's3cret', OPENAI_API_KEY: 'sk-1' }
    const { run } = await connect({ files: server }, { environment })
    expect(JSON.parse(textOf(await run('mcp__files__environment')))).toEqual({
      PATH: process.env['PATH'],
      HOME: '/home/me',
      TOKEN: 'Bearer s3cret',
      PLAIN: '$SECRET',
    })
  })

  it('has its own secrets redacted from its answers and its last output', async () => {
    const environment = { PATH: process.env['PATH'], SECRET: 'pat_0123456789' }
    const { run } = await connect({ files: { ...good(), env: { TOKEN: 'Bearer ${SECRET}' } } }, { environment })
    expect(textOf(await run('mcp__files__environment'))).toContain('"TOKEN":"Bearer ***"')
    const { troubles } = await connect({ files: { ...good('tells-token'), env: { TOKEN: '${SECRET}' } } }, { environment })
    expect(troubles).toEqual([expect.stringMatching(/its last words: wrong token: \*\*\*$/)])
  })

  it('shows all arguments in the permission question', async () => {
    const { tools } = await connect({ files: good() })
    const input = { text: `${'harmless '.repeat(100)}and the rest` }
    expect(named(tools, 'mcp__files__echo').about(input)).toBe(JSON.stringify(input))
  })

  it('runs in the workspace', async () => {
    const root = temporaryFolder()
    const { run } = await connect({ files: good() }, { root })
    expect(textOf(await run('mcp__files__place'))).toBe(root)
  })

  it('is notified when a call is cancelled, which counts as the user’s cancel', async () => {
    const notes = join(temporaryFolder(), 'notes')
    const { run } = await connect({ files: good() })
    const user = new AbortController()
    const running = run('mcp__files__wait', { notes }, { signal: user.signal })
    await until(() => noted(notes) === 'begun\n')
    user.abort(new Error('cancelled by the user'))
    await expect(running).rejects.toThrow('cancelled by the user')
    await until(() => noted(notes) === 'begun\ncancelled\n')
    expect(textOf(await run('mcp__files__echo', { text: 'still there' }))).toBe('echo: still there')
  })

  it('is notified when a call takes too long', async () => {
    const notes = join(temporaryFolder(), 'notes')
    const { run } = await connect({ files: { ...good(), timeout_seconds: 0.5 } })
    expect(await run('mcp__files__wait', { notes })).toMatchObject({
      isError: true,
      content: { text: 'Error: wait of files gave no answer within 0.5 seconds.' },
    })
    await until(() => noted(notes) === 'begun\ncancelled\n')
  })

  it('fails the call when it dies, and is restarted once for the next one', async () => {
    const { run, troubles } = await connect({ files: good() })
    expect(await run('mcp__files__die')).toMatchObject({ isError: true })
    expect(troubles).toEqual([
      expect.stringMatching(
        /^MCP server files: it went away: it ended with exit code 3; its last words: ready\nout of memory, goodbye$/,
      ),
    ])
    const both = await Promise.all([run('mcp__files__process'), run('mcp__files__process')])
    expect(Number(textOf(both[0]))).toBeGreaterThan(0)
    expect(textOf(both[1])).toBe(textOf(both[0]))
  })

  it.each(['good', 'stubborn'])('ends with all its processes when it is closed (%s)', async (way) => {
    const { run, close, troubles } = await connect({ files: good(way) })
    const pids = [await run('mcp__files__process'), await run('mcp__files__child')].map((outcome) => Number(textOf(outcome)))
    expect(pids.map(isRunning)).toEqual([true, true])
    await close()
    await until(() => !pids.some(isRunning))
    expect(troubles).toEqual([])
    expect(await run('mcp__files__process')).toMatchObject({ isError: true })
  })

  it('ends when the signal fires', async () => {
    const life = new AbortController()
    const { run } = await connect({ files: good() }, { signal: life.signal })
    const pid = Number(textOf(await run('mcp__files__process')))
    life.abort()
    await until(() => !isRunning(pid))
  })
})

describe('servers that cannot be used are reported, and the others keep working', () => {
  it.each<readonly [string, McpServer, RegExp]>([
    ['no such command', { command: '/nowhere/server' }, /^MCP server bad: cannot be used: it could not be started .*ENOENT/],
    [
      'one that ends at once',
      good('exits'),
      /^MCP server bad: cannot be used: it ended with exit code 7 .*; its last words: no licence$/,
    ],
    [
      'one that floods',
      good('flood'),
      /^MCP server bad: cannot be used: it sent more than 4194304 bytes before it had said what it offers$/,
    ],
    [
      'one whose list comes in heavy pieces',
      good('heavy-pages'),
      /^MCP server bad: cannot be used: it sent more than 4194304 bytes before it had said what it offers; its last words: page 0\npage 1\npage 2\npage 3$/,
    ],
    ['one whose list has no end', good('endless-pages'), /^MCP server bad: cannot be used: .*exceeded listMaxPages \(200\)/],
    ['neither command nor address', {}, /^MCP server bad: cannot be used: expected either a command or an address$/],
    ['both', { command: 'x', url: 'http://127.0.0.1/' }, /expected either a command or an address$/],
    ['an address of another kind', { url: 'file:///etc/passwd' }, /^MCP server bad: cannot be used: url: expected an address/],
    ['an address with a password', { url: 'http://me:pass@127.0.0.1/' }, /expected an address without user name or password/],
    [
      'a variable that is not set',
      { ...good(), env: { TOKEN: '${NOT_SET}' } },
      /^MCP server bad: cannot be used: env\.TOKEN: the variable NOT_SET is not set$/,
    ],
    [
      'a header that cannot be sent',
      { url: 'http://127.0.0.1/', headers: { a: 'secret\n' } },
      /^MCP server bad: cannot be used: headers\.a: expected a valid header value$/,
    ],
    ['no server at the address', { url: 'http://127.0.0.1:9/' }, /^MCP server bad: cannot be used: fetch failed/],
  ])('%s', async (_name, bad, problem) => {
    const { names, troubles } = await connect({ bad }, { startSeconds: 240 })
    expect(names).toEqual([])
    expect(troubles).toEqual([expect.stringMatching(problem)])
  })

  it('after the same time: a silent one and one that writes garbage', async () => {
    // Waits until the server's last output has arrived.
    for (let seconds = 2; seconds < 200; seconds *= 4) {
      const { names, troubles } = await connect({ silent: good('silent'), garbage: good('garbage') }, { startSeconds: seconds })
      expect(names).toEqual([])
      if (troubles.some((problem) => problem.includes('last words')))
        return expect(troubles.toSorted()).toEqual([
          `MCP server garbage: cannot be used: not done within ${seconds} seconds`,
          `MCP server silent: cannot be used: not done within ${seconds} seconds; its last words: waiting for the moon`,
        ])
    }
    throw new Error('no output')
  })

  it('in the order of the settings', async () => {
    const { names, troubles } = await connect({ one: good('exits'), two: good('refuses'), three: good('hostile') })
    expect(names.slice(0, 2)).toEqual(['mcp__two__good', 'mcp__three__good'])
    expect(troubles[0]).toMatch(/^MCP server one: cannot be used/)
  })

  it('starts nothing if nothing is configured', async () => {
    expect(await connect({})).toMatchObject({ tools: [], troubles: [] })
  })
})

describe('a hostile server', () => {
  it('gets unique tool names that every provider accepts, and schemas of limited size', async () => {
    const { names, troubles } = await connect({ 'my server': good('hostile') })
    expect(names).toEqual([
      'mcp__my_server__good',
      'mcp__my_server__go_od_',
      expect.stringMatching(/^mcp__my_server__go_od__[0-9a-f]{8}$/),
      expect.stringMatching(/^mcp__my_server__n{39}_[0-9a-f]{8}$/),
    ])
    expect(names.every((name) => name.length <= 64)).toBe(true)
    expect(troubles).toEqual([
      'MCP server my server: the tool big is omitted: the schema of its arguments has more than 65536 bytes',
      'MCP server my server: the tool deep is omitted: the schema of its arguments is nested deeper than 50 levels, or endless',
    ])
  })

  it('gets a limited total size of definitions, and tools that do not fit are named', async () => {
    const { names, tools, troubles } = await connect({ files: good('heavy') })
    expect(names).toEqual([...['a', 'b', 'c', 'd', 'small'].map((name) => `mcp__files__${name}`), 'describe_tool'])
    // What fits is sent in short form.
    expect(JSON.stringify(tools).length).toBeLessThan(10_000)
    expect(troubles).toEqual(['MCP server files: tools omitted because their definitions exceed 262144 bytes together: e, f'])
  })

  it('causes a warning if the tools of all servers take more than a quarter of the window', async () => {
    const servers = { one: good('hostile'), two: good('refuses') }
    const about = (await connect(servers, { contextWindow: 300 })).troubles.filter((words) => words.startsWith('MCP servers: '))
    expect(about).toEqual([
      expect.stringMatching(
        /^MCP servers: the definitions of their 5 tools take about \d+ tokens in every request, over a quarter of the context window \(300 tokens\)$/,
      ),
    ])
    expect((await connect(servers, { contextWindow: 5000 })).troubles.join()).not.toContain('MCP servers: ')
  })

  it.each([
    ['flood-later', 'it wrote more than 67108864 bytes without being asked'],
    ['endless-line-later', 'it wrote a line of more than 33554432 bytes'],
  ])('is ended if it floods us instead of answering (%s)', async (way, words) => {
    const { run, troubles } = await connect({ bad: good(way) })
    expect((await run('mcp__bad__good')).isError).toBe(true)
    expect(troubles).toEqual([`MCP server bad: it went away: ${words}`])
  })

  it.each([
    ['hostile', /^Error: good of bad: /],
    ['refuses', /^Error: good of bad: .*not today/],
  ])('fails the call with a message if it breaks the protocol (%s)', async (way, words) => {
    const { run } = await connect({ bad: good(way) })
    const outcome = await run('mcp__bad__good')
    expect(outcome.isError).toBe(true)
    expect(textOf(outcome)).toMatch(words)
  })
})

describe('a server at an address', () => {
  it('is called with its headers, and its answers become outcomes', async () => {
    const { origin, seen } = await listen(serveTestTools())
    const server = { url: `${origin}/mcp`, headers: { authorization: 'Bearer ${TOKEN}' } }
    const { run, troubles, close } = await connect({ web: server }, { environment: { TOKEN: 't0ken' } })
    expect(textOf(await run('mcp__web__echo', { text: 'hello' }))).toBe('echo: hello')
    expect(troubles).toEqual([])
    await close()
    expect(seen.every(({ headers }) => headers['authorization'] === 'Bearer t0ken')).toBe(true)
  })

  it('is called over the older transport if it only knows that', async () => {
    const { origin } = await listen(serveOlderTools())
    const { run, troubles } = await connect({ old: { url: `${origin}/sse` } })
    expect(troubles).toEqual([])
    expect(textOf(await run('mcp__old__old'))).toBe('from the older server')
  })

  it('is not followed to another address', async () => {
    const other = await listen(serveTestTools())
    const { origin } = await listen(
      (_incoming, response) => void response.writeHead(307, { location: `${other.origin}/mcp` }).end(),
    )
    const { names, troubles } = await connect({ web: { url: `${origin}/mcp` } })
    expect(names).toEqual([])
    expect(troubles).toHaveLength(1)
    expect(other.seen).toEqual([])
  })

  it('is reported without the key if it repeats the key it rejects', async () => {
    const { origin } = await listen((incoming, response) => {
      response.writeHead(401, { 'content-type': 'text/plain' }).end(`no such key: ${incoming.headers.authorization}`)
    })
    const server = { url: `${origin}/mcp`, headers: { authorization: 'Bearer ${SECRET}' } }
    const { troubles } = await connect({ web: server }, { environment: { SECRET: 'pat_0123456789' } })
    expect(troubles).toEqual([expect.stringContaining('MCP server web: cannot be used: ')])
    expect(troubles[0]).not.toContain('pat_0123456789')
  })

  it('fails the call with a message when it goes away', async () => {
    const { origin, close } = await listen(serveTestTools())
    const { run } = await connect({ web: { url: `${origin}/mcp` } })
    await close()
    expect(textOf(await run('mcp__web__echo', { text: 'x' }))).toMatch(/^Error: echo of web: fetch failed/)
  })

  it.each(['application/json', 'text/event-stream'])('is cut off if it sends endlessly (%s)', async (type) => {
    const { origin } = await listen((_incoming, response) => {
      response.writeHead(200, { 'content-type': type })
      const more = () => {
        while (response.write('x'.repeat(2 ** 16)));
        response.once('drain', more)
      }
      more()
    })
    const { troubles } = await connect({ web: { url: `${origin}/mcp` } })
    expect(troubles).toEqual([
      'MCP server web: cannot be used: it sent more than 4194304 bytes before it had said what it offers',
    ])
  })

  it('is not waited for if it never answers', async () => {
    const { origin } = await listen(() => undefined)
    const { troubles } = await connect({ web: { url: `${origin}/mcp` } }, { startSeconds: 0.5 })
    expect(troubles).toEqual(['MCP server web: cannot be used: not done within 0.5 seconds'])
  })
})

function noted(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
