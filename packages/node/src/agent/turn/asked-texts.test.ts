import { unprintable } from '@plimsoll/core/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PermissionRequest } from '../../shared/event.ts'
import { bashTool } from '../../tools/command/bash-tool.ts'
import { toolContext } from '../../tools/testing/tool-context.ts'

import { askedTexts, createPermissions } from './permissions.ts'

async function askedFor(command: string): Promise<PermissionRequest> {
  const asked: PermissionRequest[] = []
  const permissions = createPermissions('ask', (request) => {
    asked.push(request)
    return Promise.resolve({ kind: 'once' })
  })
  await permissions.check({ callId: 'c1', tool: bashTool, input: { command } }, toolContext().context)
  return asked[0] as PermissionRequest
}

describe('a question about a command hides nothing of it', () => {
  it.each([
    ['in the title of a window', "ls '\x1b]0;' ; rm -rf ~ ; echo '\x07'", "ls '\\u001b]0;' ; rm -rf ~ ; echo '\\u0007'"],
    ['behind a carriage return', 'rm -rf ~ #\rls -la', 'rm -rf ~ #\\u000dls -la'],
    ['by turning text around', 'echo \u202e~ fr- mr', 'echo \\u202e~ fr- mr'],
    ['behind an eight-bit control', 'ls \u009b; rm -rf ~', 'ls \\u009b; rm -rf ~'],
    ['behind half a character', 'ls \ud800; rm -rf ~', 'ls \ufffd; rm -rf ~'],
  ])('%s', async (_name, command, about) => {
    expect(await askedFor(command)).toMatchObject({ about, preview: null })
  })

  it('at the end of a long line, behind blanks', async () => {
    const { about, preview } = await askedFor(`echo ok${' '.repeat(600)}; rm -rf ~`)
    expect(about).toMatch(/^echo ok {104}… {101}; rm -rf ~$/)
    expect(preview?.split('\n').map((line) => line.length)).toEqual([...Array.from({ length: 8 }, () => 76), 9])
    expect(preview).toMatch(/m -rf ~$/)
  })

  it('on other lines', async () => {
    expect(await askedFor('echo 1\nrm -rf ~')).toMatchObject({ about: 'echo 1 ⏎ rm -rf ~', preview: 'echo 1\nrm -rf ~' })
  })
})

it('the lines of a diff stay as they are, with the ends that they have', () => {
  const diff = `-${'a'.repeat(200)}\r\n+\tb\r\n`
  expect(askedTexts('write', 'a.ts', diff)).toEqual({ about: 'a.ts', preview: diff })
})

it('whatever a call is about, it is one line of a known length that no terminal acts on', () => {
  let long = 0
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme', minLength: 200, maxLength: 600 }),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom('run' as const, 'write' as const), (about, access) => {
      const asked = askedTexts(access, about, null)
      if (asked.preview !== null) long += 1
      expect(asked.about.length).toBeLessThanOrEqual(223)
      expect(asked.about.replaceAll('\t', '').search(unprintable)).toBe(-1)
      expect((asked.preview ?? '').replaceAll(/[\t\n]|\r(?=\n)/g, '').search(unprintable)).toBe(-1)
    }),
  )
  expect(long).toBeGreaterThan(5)
})
