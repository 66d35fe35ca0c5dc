import { describe, expect, it } from 'vitest'
import { agentOf, type WiringFacts, wireAgent, wiredAgents } from './agent-wiring.ts'

const facts: WiringFacts = {
  address: 'http://127.0.0.1:7478',
  paths: { anthropic: '', openai: '/v1', gemini: '' },
  isAnthropic: false,
  isAnthropicUnchanged: false,
  hasCodexLogin: false,
  piExtension: '/opt/pi-gateway.js',
  environment: {},
}

describe('wiring', () => {
  it.each([
    ['claude', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:7478' }],
    ['gemini', { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:7478' }],
    ['copilot', { COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:7478/v1' }],
    ['qwen', { OPENAI_BASE_URL: 'http://127.0.0.1:7478/v1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:7478' }],
    [
      'aider',
      {
        OPENAI_API_BASE: 'http://127.0.0.1:7478/v1',
        OPENAI_BASE_URL: 'http://127.0.0.1:7478/v1',
        ANTHROPIC_API_BASE: 'http://127.0.0.1:7478',
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:7478',
      },
    ],
    ['openai', { OPENAI_BASE_URL: 'http://127.0.0.1:7478/v1' }],
    ['anthropic', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:7478' }],
  ] as const)('sets the variables that %s reads', (agent, variables) => {
    expect(wireAgent(agent, facts)).toEqual({ variables, arguments: [] })
  })

  it('gives pi an extension, because it reads no variable', () => {
    expect(wireAgent('pi', facts)).toEqual({
      variables: { PLIMSOLL_GATEWAY_URL: 'http://127.0.0.1:7478' },
      arguments: ['--extension', '/opt/pi-gateway.js'],
    })
  })

  it('has no version in the address of Copilot CLI if its provider is Anthropic', () => {
    const environment = { COPILOT_PROVIDER_TYPE: 'anthropic' }
    expect(wireAgent('copilot', { ...facts, environment }).variables).toEqual({
      COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:7478',
    })
  })

  it('presents the address to Claude Code as Anthropic’s only if no byte is changed', () => {
    const { variables } = wireAgent('claude', { ...facts, isAnthropic: true, isAnthropicUnchanged: true })
    expect(variables).toEqual({
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:7478',
      _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: '1',
    })
  })

  it.each<[name: string, given: Partial<typeof facts>, expected: string | undefined]>([
    ['if Anthropic gets changed requests', { isAnthropic: true }, 'true'],
    ['but not another upstream, which may not know the blocks', {}, undefined],
    ['but keeps what the user set', { isAnthropic: true, environment: { ENABLE_TOOL_SEARCH: 'auto:5' } }, undefined],
  ])('lets Claude Code load MCP tools on demand, %s', (_name, given, expected) =>
    expect(wireAgent('claude', { ...facts, ...given }).variables['ENABLE_TOOL_SEARCH']).toBe(expected),
  )

  it.each([
    [false, 'env_key="OPENAI_API_KEY"'],
    [true, 'requires_openai_auth=true'],
  ])('passes a provider to Codex as arguments, because it reads no variable (login: %s)', (hasCodexLogin, key) => {
    expect(wireAgent('codex', { ...facts, hasCodexLogin })).toEqual({
      variables: {},
      arguments: [
        '-c',
        'model_provider="plimsoll"',
        '-c',
        `model_providers.plimsoll={name="Plimsoll",base_url="http://127.0.0.1:7478/v1",wire_api="responses",${key}}`,
      ],
    })
  })

  it('gives agents the tool recall as arguments or in a variable, without a file', () => {
    const recall = ['/usr/bin/node', '/opt/a "b"/plimsoll.js', 'mcp'] as const
    const [option = ''] = wireAgent('claude', { ...facts, recall }).arguments
    expect(JSON.parse(option.replace('--mcp-config=', ''))).toEqual({
      mcpServers: { plimsoll: { command: '/usr/bin/node', args: ['/opt/a "b"/plimsoll.js', 'mcp'] } },
    })
    expect(wireAgent('qwen', { ...facts, recall }).arguments).toEqual([option])
    const [forCopilot = ''] = wireAgent('copilot', { ...facts, recall }).arguments
    expect(JSON.parse(forCopilot.replace('--additional-mcp-config=', ''))).toMatchObject({
      mcpServers: { plimsoll: { args: ['/opt/a "b"/plimsoll.js', 'mcp'], tools: ['*'] } },
    })
    expect(wireAgent('codex', { ...facts, recall }).arguments.at(-1)).toBe(
      String.raw`mcp_servers.plimsoll={command="/usr/bin/node",args=["/opt/a \"b\"/plimsoll.js","mcp"]}`,
    )
    expect(wireAgent('gemini', { ...facts, recall }).arguments).toEqual([])
    expect(JSON.parse(wireAgent('pi', { ...facts, recall }).variables['PLIMSOLL_RECALL'] ?? '')).toEqual(recall)
    const environment = { OPENCODE_CONFIG_CONTENT: '{"mcp":{"mine":{"type":"local","command":["x"]}}}' }
    const { variables } = wireAgent('opencode', { ...facts, recall, environment })
    expect(JSON.parse(variables['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
      mcp: { mine: { type: 'local', command: ['x'] }, plimsoll: { type: 'local', command: [...recall] } },
    })
  })

  it('keeps the user’s own opencode settings, valid or not', () => {
    const own = {
      theme: 'dark',
      provider: { openai: { options: { timeout: 5 }, models: {} }, mine: { options: { baseURL: 'x' } } },
    }
    const settings = (text: string) =>
      JSON.parse(
        wireAgent('opencode', { ...facts, environment: { OPENCODE_CONFIG_CONTENT: text } }).variables[
          'OPENCODE_CONFIG_CONTENT'
        ] ?? '',
      ) as unknown
    const anthropic = { options: { baseURL: 'http://127.0.0.1:7478/v1' } }
    const google = { options: { baseURL: 'http://127.0.0.1:7478/v1beta' } }
    expect(settings(JSON.stringify(own))).toEqual({
      theme: 'dark',
      provider: {
        anthropic,
        google,
        openai: { options: { timeout: 5, baseURL: 'http://127.0.0.1:7478/v1' }, models: {} },
        mine: { options: { baseURL: 'x' } },
      },
    })
    const commented = '\uFEFF{ // "theme": "light"\n "theme": "a, /* } */ // b", /* mine */ "keybinds": { "x": [1, 2,], }, }'
    expect(settings(commented)).toMatchObject({ theme: 'a, /* } */ // b', keybinds: { x: [1, 2] } })
    const plain = { provider: { anthropic, google, openai: anthropic } }
    for (const text of ['', 'no JSON', '[]', '{"provider":3}', '{"provider":{"openai":{"options":null}}}']) {
      expect(settings(text)).toEqual(plain)
    }
  })

  it('sets the variables of all agents for an unknown program', () => {
    const all = wireAgent(null, facts).variables
    const named = wiredAgents.filter((agent) => agent !== 'copilot' && agent !== 'pi')
    for (const agent of named) expect(all).toMatchObject(wireAgent(agent, facts).variables)
    expect(Object.keys(all)).toHaveLength(6)
  })
})

describe('agentOf', () => {
  it.each([
    ['claude', 'claude'],
    ['/usr/local/bin/codex', 'codex'],
    ['C:\\tools\\gemini.cmd', 'gemini'],
    ['./opencode', 'opencode'],
    ['C:\\Tools\\Claude.EXE', 'claude'],
    ['D:codex.cmd/pi', 'pi'],
    ['aider', 'aider'],
    ['copilot', 'copilot'],
    ['/opt/bin/qwen', 'qwen'],
    ['pi', 'pi'],
    ['node', null],
    ['openai', null],
    ['claude-tap', null],
    ['', null],
  ])('recognises an agent by its program: %s', (command, agent) => expect(agentOf(command)).toBe(agent))
})
