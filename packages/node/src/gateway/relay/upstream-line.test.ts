import { describe, expect, test } from 'vitest'
import { openUpstreams } from './upstream-line.ts'

describe('openUpstreams', () => {
  const limits = { connectSeconds: 1 } as Parameters<typeof openUpstreams>[0]['limits']
  const pathFor = async (url: string, path: string) => {
    const upstream = { url, managesContext: false }
    const lines = openUpstreams({
      upstreams: { anthropic: upstream, 'openai-chat': upstream, 'openai-responses': upstream, gemini: upstream },
      limits,
    })
    const joined = lines.of('openai-chat').pathOf(path)
    await lines.destroy()
    return joined
  }

  test.each([
    ['https://api.example', '/v1/messages', '/v1/messages'],
    ['https://api.example/', '/v1/messages', '/v1/messages'],
    ['https://api.example', '/chat/completions', '/v1/chat/completions'],
    ['https://api.example', '/responses/compact', '/v1/responses/compact'],
    ['https://api.example', '/models', '/v1/models'],
    ['https://api.example', '/modelsque', '/modelsque'],
    ['https://api.example/api/v1', '/v1/chat/completions', '/api/v1/chat/completions'],
    ['https://api.example/api/v1/', '/chat/completions', '/api/v1/chat/completions'],
    ['https://api.example/backend-api/codex', '/responses', '/backend-api/codex/responses'],
    ['https://api.example/v1beta', '/v1beta/models/g:generateContent', '/v1beta/models/g:generateContent'],
    ['https://api.example/v1', '/v1beta/files', '/v1beta/files'],
    ['https://api.example/all/v1', '/v1beta/models/g:generateContent', '/all/v1beta/models/g:generateContent'],
    ['https://api.example/api/paas/v4', '/v1/chat/completions', '/api/paas/v4/chat/completions'],
    ['https://api.example/api/v3', '/chat/completions', '/api/v3/chat/completions'],
    ['https://api.example/api/v3', '/v1', '/api/v3/v1'],
  ])('at %s a request for %s goes to %s', async (url, path, joined) => {
    expect(await pathFor(url, path)).toBe(joined)
  })

  test.each(['ftp://api.example', 'api.example', 'https://user:secret@api.example', 'https://api.example?key=secret', ''])(
    'refuses %s and does not repeat it',
    async (url) => {
      await expect(pathFor(url, '/')).rejects.toThrow(/^The upstream for anthropic is to be an http or https address/)
      await expect(pathFor(url, '/')).rejects.not.toThrow('secret')
    },
  )
})
