import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { coreEntry, exampleConversation, fingerprints, textsInNode } from './runtimes/texts-in-node.ts'
import { root } from './source-files.ts'
import { toolPath } from './tools/tool-path.ts'

const run = promisify(execFile)

/** JavaScript runtimes, each with another time zone and language, which must not matter. */
const runtimes = [
  {
    name: 'Node 22',
    program: toolPath('node-22-linux-x64', 'bin/node'),
    args: [],
    zone: 'Asia/Shanghai',
    language: 'zh_CN.UTF-8',
  },
  {
    name: 'Bun',
    program: nextTo('bun', '@oven', 'bin/bun'),
    args: ['run', '--no-install'],
    zone: 'America/St_Johns',
    language: 'tr_TR.UTF-8',
  },
  {
    name: 'Deno',
    program: nextTo('deno', '@deno', 'deno'),
    args: ['run', '--no-config', '--no-lock', '--no-remote', '--allow-read'],
    zone: 'Pacific/Apia',
    language: 'de_DE.UTF-8',
  },
]

describe.runIf(existsSync(coreEntry))('the built core', () => {
  // The runtimes are optional packages, which do not exist for every system.
  describe.each(runtimes)('$name', ({ program, args, zone, language }) => {
    it.runIf(existsSync(program))('gives the same bytes for a conversation as Node', async () => {
      const script = `${root}/test/runtimes/print-texts.mjs`
      const { stdout } = await run(program, [...args, script, coreEntry, exampleConversation], {
        cwd: root,
        env: { PATH: process.env['PATH'], HOME: '/nowhere', TZ: zone, LANG: language, LC_ALL: language, NO_COLOR: '1' },
        maxBuffer: 2 ** 26,
      })
      expect(fingerprints(JSON.parse(stdout))).toEqual(fingerprints(await textsInNode()))
    })
  })

  it('ran with both policy sets trimming and every dialect written', async () => {
    const texts = await textsInNode()
    expect(Object.keys(texts).length).toBeGreaterThan(25)
    for (const name of ['spec report', 'economy report']) {
      const { tokensBefore, tokensAfter } = JSON.parse(texts[name] ?? '') as {
        readonly tokensBefore: number
        readonly tokensAfter: number
      }
      expect(tokensAfter).toBeLessThan(tokensBefore / 2)
    }
    expect(texts['summary']?.length).toBeGreaterThan(500)
  })
})

/** The path of a program in the one installed package of a scope, which another package needs. */
function nextTo(name: string, scope: string, path: string): string {
  const folder = join(toolPath(name, '..'), scope)
  const packages = existsSync(folder) ? readdirSync(folder) : []
  return packages.map((one) => join(folder, one, path)).find((file) => existsSync(file)) ?? join(folder, path)
}
