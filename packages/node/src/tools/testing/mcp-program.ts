// A server of tools over standard input and output: a good one, or one that misbehaves in the way that is asked for.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTestServer } from './mcp-test-server.ts'

const [, , way = 'good'] = process.argv
const megabyteLine = `${'x'.repeat(2 ** 20)}\n`
const tool = (name: string, inputSchema: unknown) => ({ name, inputSchema })

/** Answers by hand what the library would never send. */
function answerWith(list: (cursor: string | undefined) => unknown, answer: (id: unknown) => string): void {
  process.stdin.on('data', (piece) => {
    for (const line of String(piece).split('\n').filter(Boolean)) {
      const { id, method, params } = JSON.parse(line) as { id?: unknown; method: string; params?: { cursor?: string } }
      const give = (result: unknown) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
      if (method === 'initialize')
        give({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } })
      if (method === 'tools/list') give(list(params?.cursor))
      if (method === 'tools/call') process.stdout.write(`${answer(id)}\n`)
    }
  })
}

function refuse(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'not today' } })
}

/** Writes the same bytes endlessly. */
function flood(text: string): string {
  const more = () => {
    while (process.stdout.write(text));
    process.stdout.once('drain', more)
  }
  more()
  return ''
}

switch (way) {
  case 'good':
    process.stderr.write('ready\n')
    serveStdio(createTestServer)
    break
  case 'stubborn':
    process.on('SIGTERM', () => undefined)
    setInterval(() => undefined, 1000)
    serveStdio(createTestServer)
    break
  case 'silent':
    process.stderr.write('waiting for the moon\n')
    setInterval(() => undefined, 1000)
    break
  case 'exits':
    process.stderr.write('no licence\n')
    process.exitCode = 7
    break
  case 'tells-token':
    process.stderr.write(`wrong token: ${process.env['TOKEN']}\n`)
    process.exitCode = 1
    break
  case 'garbage':
    setInterval(() => process.stdout.write('hello\n{"a":1}\n[]\n'), 5)
    break
  case 'flood':
    flood(megabyteLine)
    break
  case 'flood-later':
    answerWith(
      () => ({ tools: [tool('good', { type: 'object' })] }),
      () => flood(megabyteLine),
    )
    break
  case 'endless-line-later':
    answerWith(
      () => ({ tools: [tool('good', { type: 'object' })] }),
      () => flood(megabyteLine.trim()),
    )
    break
  case 'heavy-pages':
    answerWith((cursor = '0') => {
      process.stderr.write(`page ${cursor}\n`)
      return {
        tools: [{ ...tool(`t${cursor}`, { type: 'object' }), description: megabyteLine }],
        nextCursor: `${Number(cursor) + 1}`,
      }
    }, refuse)
    break
  case 'endless-pages':
    answerWith(
      (cursor = '0') => ({ tools: [tool(`t${cursor}`, { type: 'object' })], nextCursor: `${Number(cursor) + 1}` }),
      refuse,
    )
    break
  case 'heavy': {
    const tools = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => tool(name, { type: 'object', description: 'x'.repeat(60_000) }))
    answerWith(() => ({ tools: [...tools, tool('small', { type: 'object' })] }), refuse)
    break
  }
  case 'hostile': {
    let deep: unknown = {}
    for (let level = 0; level < 200; level += 1) deep = { properties: deep }
    const tools = [
      tool('good', { type: 'object', properties: { a: { type: 'string' } } }),
      tool('good', { type: 'object' }),
      tool('go od!', { type: 'object' }),
      tool('go.od?', { type: 'object' }),
      tool('n'.repeat(100), { type: 'object' }),
      tool('big', { type: 'object', description: 'x'.repeat(70_000) }),
      tool('deep', { type: 'object', properties: deep }),
    ]
    answerWith(
      () => ({ tools }),
      (id) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: 'no list', structuredContent: 5 } }),
    )
    break
  }
  case 'refuses':
    answerWith(() => ({ tools: [tool('good', { type: 'object' })] }), refuse)
    break
}
