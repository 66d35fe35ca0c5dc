import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { credentialHash, tenantOf } from '../../store/gateway-store.ts'
import { tenantsOf } from '../../store/tenants.ts'

const binary = fileURLToPath(new URL('../../../bin/plimsoll.js', import.meta.url))
const isBuilt = existsSync(new URL('../../../dist/cli/gateway/mcp-command.js', import.meta.url))

describe.runIf(isBuilt)('plimsoll mcp', () => {
  it('writes only protocol messages to its output, and exits when its input ends', async () => {
    const home = mkdtempSync(join(tmpdir(), 'plimsoll-mcp-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const child = spawn(process.execPath, [binary, 'mcp'], { env: { HOME: home, XDG_STATE_HOME: join(home, 'state') } })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      // Answers come in order: the last one answers the call.
      if (stdout.includes('"id":3')) child.stdin.end()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const messages = [
      { id: 1, method: 'initialize', params: client },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'recall', arguments: { handle: '0123456789ab' } } },
    ]
    child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
    expect([await ended, stderr]).toEqual([0, ''])
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            id: number
            result: { tools?: readonly { name: string }[]; content?: readonly { text: string }[] }
          },
      )
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(answers[1]?.result.tools?.map(({ name }) => name)).toEqual(['recall'])
    expect(answers[2]?.result.content?.[0]?.text).toMatch(/^Nothing is kept under the handle 0123456789ab\./)
  })
})

describe('recall across API keys', () => {
  const secret = Buffer.alloc(32, 7)
  const store = { tenants: async () => ['one', 'two'], secret: async () => secret }

  it('returns originals of all keys from a local store file', async () => {
    expect(await tenantsOf(store, false, {})).toEqual(['one', 'two'])
  })

  it('returns only originals of the caller’s own keys from a shared database', async () => {
    const environment = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: '', PLIMSOLL_TENANT_KEY: ' sk-1 ' }
    expect(await tenantsOf(store, true, environment)).toEqual([
      tenantOf(secret, credentialHash('sk-1')),
      tenantOf(secret, credentialHash('Bearer sk-1')),
    ])
    expect(await tenantsOf(store, true, {})).toEqual([])
  })
})
