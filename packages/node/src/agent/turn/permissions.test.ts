import { defaultConfig } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PermissionAnswer, PermissionRequest, ToolAccess } from '../../shared/event.ts'
import { bashTool } from '../../tools/command/bash-tool.ts'
import { toolContext as createContext } from '../../tools/testing/tool-context.ts'
import { defineTool, failed, type Tool, told } from '../../tools/tool.ts'

import { createPermissions } from './permissions.ts'

const toolContext = (given: Parameters<typeof createContext>[0] = {}) => createContext(given).context

const toolOf = (name: string, access: ToolAccess): Tool =>
  defineTool({
    name,
    description: name,
    access,
    input: z.object({ path: z.string() }),
    about: ({ path }) => path,
    preview: ({ path }) => Promise.resolve(`preview of ${path}`),
    run: () => Promise.resolve(told('done')),
  })

const call = (tool: Tool, path = 'a.ts') => ({ callId: 'c1', tool, input: { path } })

function person(...answers: readonly PermissionAnswer[]) {
  const asked: PermissionRequest[] = []
  let next = 0
  return {
    asked,
    ask: (request: PermissionRequest) => {
      asked.push(request)
      return Promise.resolve(answers[next++] ?? { kind: 'no' as const, reason: null })
    },
  }
}

describe('permissions', () => {
  it.each([
    ['read-only', 'read', 'runs'],
    ['read-only', 'write', 'refused'],
    ['read-only', 'run', 'refused'],
    ['ask', 'read', 'runs'],
    ['ask', 'write', 'asked'],
    ['ask', 'run', 'asked'],
    ['accept-edits', 'read', 'runs'],
    ['accept-edits', 'write', 'runs'],
    ['accept-edits', 'run', 'asked'],
    ['auto', 'read', 'runs'],
    ['auto', 'write', 'runs'],
    ['auto', 'run', 'runs'],
  ] as const)('in the mode %s a tool that may %s is %s', async (mode, access, expected) => {
    const { asked, ask } = person({ kind: 'once' })
    const outcome = await createPermissions(mode, ask).check(call(toolOf('Some', access)), toolContext())
    expect(asked.length > 0 ? 'asked' : outcome === null ? 'runs' : 'refused').toBe(expected)
    expect(outcome === null).toBe(expected !== 'refused')
  })

  it('shows the user the call, its preview, and the effect of allowing it for the session', async () => {
    const { asked, ask } = person({ kind: 'once' })
    await createPermissions('ask', ask).check(call(toolOf('Edit', 'write')), toolContext())
    expect(asked).toEqual([
      { callId: 'c1', tool: 'Edit', access: 'write', about: 'a.ts', preview: 'preview of a.ts', scope: 'tool' },
    ])
  })

  it('asks again after a yes for once, and not after a yes for the session', async () => {
    const { asked, ask } = person({ kind: 'once' }, { kind: 'session' })
    const permissions = createPermissions('ask', ask)
    const edit = toolOf('Edit', 'write')
    for (const path of ['a', 'b', 'c', 'd']) expect(await permissions.check(call(edit, path), toolContext())).toBeNull()
    expect(asked.map(({ about }) => about)).toEqual(['a', 'b'])
  })

  it('limits a lasting permission for a command to exactly that command', async () => {
    const { asked, ask } = person({ kind: 'session' }, { kind: 'no', reason: 'too much' })
    const permissions = createPermissions('ask', ask)
    const bash = (command: string) => permissions.check({ callId: 'c1', tool: bashTool, input: { command } }, toolContext())
    expect(await bash('npm test')).toBeNull()
    expect(await bash('npm test')).toBeNull()
    expect(await bash('npm test; rm -rf .')).toEqual(
      failed('the user did not allow this call. They say: too much', { refused: true }),
    )
    expect(asked).toHaveLength(2)
  })

  it.each([
    "npm 'test'",
    'npm "test"',
    'n\\pm test',
    'npm  test',
    ' npm test',
    'npm test ',
    'npm test\n',
    'npm test\r',
    'npm\ttest',
    'npm\u00a0test',
    'npm test\u200b',
    'npm te\u0455t',
    'NPM test',
    'npm test #',
    'npm test &',
    'npm test\0',
    'PATH=/tmp npm test',
    'NODE_OPTIONS=--require=/tmp/evil.js npm test',
    'env npm test',
    'command npm test',
    'cd /tmp; npm test',
    '$(echo npm test)',
    'npm test\u0000; rm -r .',
    'npm() { rm -r .; }; npm test',
    'alias npm=evil\nnpm test',
  ])('asks again for what a shell takes for nearly the same command: %j', async (command) => {
    const { asked, ask } = person({ kind: 'session' })
    const permissions = createPermissions('ask', ask)
    const bash = (given: string, more: object = {}) =>
      permissions.check({ callId: 'c1', tool: bashTool, input: { command: given, ...more } }, toolContext())
    await bash('npm test')
    expect(await bash('npm test', { description: command, timeout_seconds: 5 })).toBeNull()
    expect(asked).toHaveLength(1)
    expect((await bash(command))?.isError).toBe(true)
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['Write', 'write', 'the mode accept-edits or auto.'],
    ['Bash', 'run', 'the mode auto.'],
  ] as const)(
    'denies a call of %s if no user is there to ask, and names the modes that allow it',
    async (name, access, modes) => {
      const outcome = await createPermissions('ask', null).check(call(toolOf(name, access)), toolContext())
      expect(outcome?.content).toEqual({ type: 'text', text: expect.stringMatching(new RegExp(`needs ${modes}$`)) })
    },
  )

  it('follows a change of the mode', async () => {
    const permissions = createPermissions('read-only', null)
    const write = toolOf('Write', 'write')
    expect(await permissions.check(call(write), toolContext())).not.toBeNull()
    permissions.setMode('auto')
    expect(permissions.mode()).toBe('auto')
    expect(await permissions.check(call(write), toolContext())).toBeNull()
  })

  it('lets nothing run that the user stopped while they were asked', async () => {
    const stop = new AbortController()
    const permissions = createPermissions('ask', () => {
      stop.abort(new Error('stopped'))
      return Promise.resolve({ kind: 'once' })
    })
    await expect(
      permissions.check(call(toolOf('Write', 'write')), toolContext({ signal: stop.signal, config: defaultConfig })),
    ).rejects.toThrow('stopped')
  })
})
