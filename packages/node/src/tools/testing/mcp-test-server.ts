import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A real server with tools for every kind of answer. */
export function createTestServer(): McpServer {
  const server = new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })
  server.registerTool('echo', { description: 'Says it again.', inputSchema: z.object({ text: z.string() }) }, (input) =>
    text(`echo: ${input.text}`),
  )
  server.registerTool('long', { inputSchema: z.object({ megabytes: z.number() }) }, ({ megabytes }) =>
    text('a line of a long answer\n'.repeat((megabytes * 1_000_000) / 24)),
  )
  server.registerTool('environment', {}, () => text(JSON.stringify(process.env)))
  server.registerTool('place', {}, () => text(process.cwd()))
  server.registerTool('fail', {}, () => ({ ...text('it does not work'), isError: true }))
  server.registerTool('data', { outputSchema: z.object({ count: z.number() }) }, () => ({
    ...text('{ "count": 3 }'),
    structuredContent: { count: 3 },
  }))
  server.registerTool('mixed', {}, () => ({
    content: [
      { type: 'text', text: 'a picture:' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a', description: 'the first' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'text of b' } },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ],
  }))
  server.registerTool('die', {}, () => {
    process.stderr.write('out of memory, goodbye\n')
    process.exit(3)
  })
  server.registerTool('child', {}, () => text(String(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid)))
  server.registerTool('process', {}, () => text(String(process.pid)))
  server.registerTool('wait', { inputSchema: z.object({ notes: z.string() }) }, async ({ notes }, context) => {
    appendFileSync(notes, 'begun\n')
    await new Promise<void>((resolve) => {
      context.mcpReq.signal.addEventListener('abort', () => {
        appendFileSync(notes, 'cancelled\n')
        resolve()
      })
    })
    return text('never read')
  })
  return server
}
