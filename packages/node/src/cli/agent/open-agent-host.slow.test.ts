import { describe, expect, it, onTestFinished } from 'vitest'
import { startPathServer } from '../../model/testing/path-server.ts'
import type { Notification } from '../../shared/event.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder } from '../testing/run-captured.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import { openAgentHost } from './open-agent-host.ts'

async function openHost(options: AgentCommandOptions, environment: Readonly<Record<string, string>> = {}) {
  const folder = createFolder()
  const output = { write: () => undefined, isTerminal: false, columns: null }
  const host = await openAgentHost(options, {
    stdout: output,
    stderr: output,
    stdin: (async function* () {})(),
    environment: { HOME: folder.path, XDG_STATE_HOME: folder.path, ...environment },
    folder: folder.path,
    platform: 'linux',
    now: () => Date.parse('2026-01-31T10:00:00Z'),
  })
  onTestFinished(async () => {
    await host.close()
    folder.remove()
  })
  return host
}

describe('switching to another model', () => {
  it('is refused if its price is unknown and the session has a cost limit', async () => {
    const host = await openHost({ model: 'offline', maxCost: '1' }, { ANTHROPIC_API_KEY: 'k' })
    await expect(host.model('ollama/qwen')).rejects.toThrow(stringsFor('en').agent.noPrice('ollama/qwen'))
    expect((await host.model('anthropic/claude-opus-5')).price?.input).toBeGreaterThan(0)
  })

  it('needs no price without a cost limit', async () => {
    const host = await openHost({ model: 'offline' }, { OLLAMA_HOST: '127.0.0.1:1' })
    expect((await host.model('ollama/qwen')).price).toBeNull()
  })

  it('selects the built-in model by the name offline, even if a base URL is set', async () => {
    const { origin } = await startPathServer({ '/v1/models': { data: [{ id: 'qwen' }] } })
    const host = await openHost({ model: 'offline', baseUrl: `${origin}/v1` })
    const providers = [host.defaultModel, await host.model('offline'), await host.model('qwen')].map(({ provider }) => provider)
    expect(providers).toEqual(['plimsoll', 'plimsoll', 'local'])
  })

  it('warns if its server allows only a small context window', async () => {
    const { origin } = await startPathServer({ '/props': { n_ctx: 8192 } })
    const host = await openHost({ model: 'offline' }, { LLAMACPP_BASE_URL: origin })
    const notices: Notification[] = []
    const model = await host.model('llamacpp/qwen', (notice) => notices.push(notice))
    expect([host.notices, model.facts.window]).toEqual([[], 8192])
    expect(notices).toMatchObject([{ code: 'small_window', details: expect.stringMatching(/^8,192 tokens; .*--ctx-size/) }])
  })

  it('uses the reasoning effort of the --reasoning flag', async () => {
    const host = await openHost({ model: 'offline', reasoning: 'low' }, { ANTHROPIC_API_KEY: 'k' })
    expect((await host.model('anthropic/claude-opus-5')).reasoning).toBe('low')
  })
})
