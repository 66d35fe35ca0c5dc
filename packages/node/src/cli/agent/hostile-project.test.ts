import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unprintable } from '@plimsoll/core/text'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const folder = createFolder()
afterAll(folder.remove)
const chat = folder.write('chat.json', '[{"role": "user", "content": "hello"}]')

/** Clears the screen, sets a colour with an 8-bit control character, reverses the text direction. */
const evil = '\u001b[2J\u009b31m\u202e'
const shown = '\\u001b[2J\\u009b31m\\u202e'
const quoted = JSON.stringify(evil).replaceAll('\u009b', '\\u009b').replaceAll('\u202e', '\\u202e')

let projects = 0
function project(yaml: string, name = 'project'): string {
  projects += 1
  const path = join(folder.path, `${name}-${projects}`)
  mkdirSync(path)
  writeFileSync(join(path, 'plimsoll.yaml'), yaml)
  return path
}

describe('a project configuration with control characters', () => {
  it.each([
    ['a key', `${quoted}: 1`, shown],
    ['a key with a line break', '"x\\nerror: all is well": 1', 'x\\u000aerror: all is well: unknown key'],
    ['a title sequence that swallows the rest of the line', '"\\e]0;": 1', '\\u001b]0;: unknown key; expected one of'],
    ['the name of a tool', `tool_output_limits: { tools: { ${quoted}: { max_chars: -1 } } }`, `tools.${shown}.max_chars`],
    ['a value', `timing: ${quoted}`, `got "${shown}"`],
    ['a tag', 'a: !<\u009b31m> x', 'unresolved tag: \\u009b31m'],
    ['a key twice', `${quoted}: 1\n${quoted}: 2`, 'expected each key once'],
  ])('is escaped before it reaches the terminal: %s', async (_name, yaml, sentence) => {
    for (const terminal of [{}, { terminal: 80 }]) {
      const { code, stdout, stderr } = await runCaptured(['view', chat], { folder: project(yaml), ...terminal })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(sentence)
      expect(stderr.replaceAll('\n', '').search(unprintable)).toBe(-1)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    }
  })

  it('is escaped in the name of its folder or of a requested file', async () => {
    const inside = await runCaptured(['view', chat], { folder: project('foo: 1', evil) })
    const asked = await runCaptured(['view', chat, '--config', `${evil}.yaml`])
    for (const { code, stderr } of [inside, asked]) {
      expect(code).toBe(2)
      expect(stderr).toContain(shown)
      expect(stderr.replaceAll('\n', '').search(unprintable)).toBe(-1)
    }
  })

  it('prints one problem per line', async () => {
    const { stderr } = await runCaptured(['view', chat], { folder: project('timing: x\nlocale: 3\n') })
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
  })

  it('reports the first 20 of very many mistakes', async () => {
    const yaml = `tool_output_limits:\n  tools:\n${Array.from({ length: 2000 }, (_, index) => `    t${index}: {max_chars: x}`).join('\n')}`
    const { code, stderr } = await runCaptured(['view', chat], { folder: project(yaml) })
    expect(code).toBe(2)
    expect(stderr.length).toBeLessThan(5000)
    expect(stderr).toMatch(/\nand 1980 more problems\n$/)
  })
})

describe('JSON output', () => {
  it('escapes control characters without changing the parsed value', async () => {
    const text = `${evil}\u007f\u0085\u2028\u2066 Grüße 😀`
    const messages = [
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: `Bash${text}`, arguments: '{}' } }],
      },
    ]
    const { code, stdout, stderr } = await runCaptured(['view', '-', '--json'], {
      stdin: JSON.stringify(messages),
      environment: { PLIMSOLL_LOG: 'debug' },
    })
    expect(code).toBe(0)
    expect(`${stdout}${stderr}`.replaceAll('\n', '').search(unprintable)).toBe(-1)
    expect(stdout).toContain('Grüße 😀')
    const answer = JSON.parse(stdout) as { readonly messages: readonly unknown[]; readonly report: { readonly edits: unknown } }
    expect(answer.messages.slice(0, 2)).toEqual(messages)
    expect(answer.report.edits).toEqual([expect.objectContaining({ tool: `Bash${text}` })])
  })
})
