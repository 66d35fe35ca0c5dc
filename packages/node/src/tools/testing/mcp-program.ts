// A server of tools over standard input and output: a good one, or one that misbehaves in the way that is asked for.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTestServer } from './mcp-test-server.ts'

const [, , way = 'good'] = process.argv
const tool = (name: string, inputSchema: unknown) => ({ name, inputSchema })

/** Answers by hand what the library would never send. */
function answerWith(tools: readonly unknown[], answer: (id: unknown) => string): void {
  process.stdin.on('data', (piece) => {
    for (const line of String(piece).split('\n').filter(Boolean)) {
      const { id, method } = JSON.parse(line) as { id?: unknown; method: string }
      const give = (result: unknown) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
      if (method === 'initialize')
        give({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } })
      if (method === 'tools/list') give({ tools })
      if (method === 'tools/call') process.stdout.write(`${answer(id)}\n`)
    }
  })
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
  case 'flood': {
    const line = `${'x'.repeat(2 ** 20)}\n`
    const more = () => {
      while (process.stdout.write(line));
      process.stdout.once('drain', more)
    }
    more()
    break
  }
  case 'endless-line': {
    const more = () => {
      while (process.stdout.write('x'.repeat(2 ** 20)));
      process.stdout.once('drain', more)
    }
    more()
    break
  }
  case 'hostile': {
    let deep: unknown = {}
    for (let level = 0; level < 200; level += 1) deep = { properties: deep }
    answerWith(
      [
        tool('good', { type: 'object', properties: { a: { type: 'string' } } }),
        tool('good', { type: 'object' }),
        tool('go od!', { type: 'object' }),
        tool('go.od?', { type: 'object' }),
        tool('n'.repeat(100), { type: 'object' }),
        tool('big', { type: 'object', description: 'x'.repeat(70_000) }),
        tool('deep', { type: 'object', properties: deep }),
      ],
      (id) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: 'no list', structuredContent: 5 } }),
    )
    break
  }
  case 'refuses':
    answerWith([tool('good', { type: 'object' })], (id) =>
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'not today' } }),
    )
    break
}
