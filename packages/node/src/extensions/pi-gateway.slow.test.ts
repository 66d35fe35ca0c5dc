import { describe, expect, it, onTestFinished, vi } from 'vitest'
import throughGateway from './pi-gateway.ts'

describe('the extension by which pi reaches a gateway', () => {
  const server = `
    let n = 0
    require('node:readline').createInterface(process.stdin).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined) return
      if (method === 'tools/call' && params.arguments.handle === 'gone') process.exit(1)
      const text = method + ' ' + params.name + ' ' + JSON.stringify(params.arguments) + ' ' + ++n
      console.log('not JSON')
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }))
    })`
  const open = (variables: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const providers: unknown[] = []
    const tools: { execute: (id: string, input: unknown) => Promise<{ content: readonly { text: string }[] }> }[] = []
    throughGateway({
      registerProvider: (...provider) => void providers.push(provider),
      registerTool: (tool) => void tools.push(tool as never),
    })
    const recall = async (input: object) => (await tools[0]?.execute('id', input))?.content[0]?.text
    return { providers, tools, recall }
  }
  const url = { PLIMSOLL_GATEWAY_URL: 'http://127.0.0.1:7478' }
  const failed = expect.stringContaining('cannot be read at the moment')

  it('sets addresses, and gives pi’s model recall from one server, also when it fails', async () => {
    const { providers, recall } = open({ ...url, PLIMSOLL_RECALL: JSON.stringify([process.execPath, '-e', server]) })
    expect(providers).toEqual([
      ['anthropic', { baseUrl: 'http://127.0.0.1:7478' }],
      ['openai', { baseUrl: 'http://127.0.0.1:7478/v1' }],
      ['google', { baseUrl: 'http://127.0.0.1:7478/v1beta' }],
    ])
    const answers = await Promise.all(['a', 'b'].map((handle) => recall({ handle })))
    expect(answers).toEqual(['tools/call recall {"handle":"a"} 2', 'tools/call recall {"handle":"b"} 3'])
    expect(await recall({ handle: 'gone' })).toEqual(failed)
    expect(await recall({ handle: 'a' })).toEqual(failed)
    expect(await open({ PLIMSOLL_RECALL: '["/nonexistent/program"]' }).recall({})).toEqual(failed)
  })

  it.each(['', 'no JSON', '[]', '{}', '[7]'])('has no tool without a command: %j', (command) => {
    expect(open({ ...url, PLIMSOLL_RECALL: command }).tools).toEqual([])
  })

  it('does nothing without a gateway', () => {
    expect(open({ PLIMSOLL_GATEWAY_URL: '', PLIMSOLL_RECALL: '["x"]' })).toMatchObject({ providers: [], tools: [] })
  })
})
