import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../testing/run-captured.ts'
import { codexLogin, hasGeminiLogin } from './own-environment.ts'

describe('a login of Codex', () => {
  it.each([
    ['{"auth_mode":"chatgpt","OPENAI_API_KEY":null,"tokens":{"access_token":"x"}}', 'chatgpt'],
    ['{"OPENAI_API_KEY":null,"tokens":{"access_token":"x"}}', 'chatgpt'],
    ['{"auth_mode":"apikey","OPENAI_API_KEY":"sk-x"}', 'key'],
    ['{"OPENAI_API_KEY":"sk-x"}', 'key'],
    ['{"OPENAI_API_KEY":null}', 'none'],
    ['no JSON', 'none'],
    ['[]', 'none'],
  ] as const)('is told by its file: %s', (text, login) => {
    const folder = createFolder()
    onTestFinished(folder.remove)
    folder.write('auth.json', text)
    expect(codexLogin({ CODEX_HOME: folder.path })).toBe(login)
  })

  it('is none where there is no file', () => {
    expect([codexLogin({ CODEX_HOME: '/nonexistent' }), codexLogin({ HOME: '/nonexistent' })]).toEqual(['none', 'none'])
  })
})

describe('a login of Gemini CLI', () => {
  it('is what was chosen once, with comments or without', () => {
    const folder = createFolder()
    onTestFinished(folder.remove)
    const has = () => hasGeminiLogin({ environment: { HOME: folder.path }, folder: '/nonexistent' })
    expect(has()).toBe(false)
    mkdirSync(join(folder.path, '.gemini'))
    folder.write('.gemini/settings.json', '{}')
    expect(has()).toBe(false)
    folder.write('.gemini/settings.json', '{ // mine\n "security": { "auth": { "selectedType": "gemini-api-key" } } }')
    expect(has()).toBe(true)
  })
})
