import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { knownPrices } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { prices as chinese } from '../../strings/chinese/setup.ts'
import { prices as english } from '../../strings/english/setup.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

describe('plimsoll prices', () => {
  it('lists every built-in price, and names the public list', async () => {
    const { code, stdout, stderr } = await runCaptured(['prices', '--day', '2026-11-15'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const { model } of knownPrices.models) expect(stdout).toContain(model)
    expect(stdout).toContain(english.title('2026-11-15', knownPrices.date))
    expect(stdout.endsWith(`\n${english.more}\n`)).toBe(true)
  })

  it('shows the price of any other model on a day', async () => {
    const line = async (day: string) => (await runCaptured(['prices', 'claude-sonnet-4-6', '--day', day])).stdout.split('\n')[3]
    expect(await line('2026-03-20')).toBe(
      `claude-sonnet-4-6     $3   $0.30    $3.75               $6     $15  ${english.origins.list}; ${english.webSearch('$10')}`,
    )
    expect(await line('2026-02-20')).toContain(english.longPrompt('200k', 2, 1.5))
  })

  it('shows the user’s own prices before all others', async () => {
    const folder = createFolder()
    mkdirSync(join(folder.path, 'plimsoll'))
    folder.write('plimsoll/config.yaml', 'prices: { gpt-5.5: { input: 7, output: 8 } }')
    const { stdout } = await runCaptured(['prices', 'gpt-5.5', '--json'], { environment: { XDG_CONFIG_HOME: folder.path } })
    folder.remove()
    expect(JSON.parse(stdout)).toMatchObject({
      prices: [{ model: 'gpt-5.5', input: 7, cacheRead: 7, output: 8, from: 'configuration', key: 'gpt-5.5' }],
      unknown: [],
    })
  })

  it('names the pattern that a price is from, and lists it with the others', async () => {
    const folder = createFolder()
    mkdirSync(join(folder.path, 'plimsoll'))
    folder.write('plimsoll/config.yaml', "prices: { 'local-*': { input: 0.5, output: 1, cache_write_hour: 3 } }")
    const environment = { XDG_CONFIG_HOME: folder.path }
    const one = (await runCaptured(['prices', 'local-qwen'], { environment })).stdout
    const all = (await runCaptured(['prices'], { environment })).stdout
    folder.remove()
    expect(one).toMatch(/local-qwen +\$0\.50 +\$0\.50 +\$0\.50 +\$3 +\$1 /)
    expect(one).toContain(english.ownPattern('local-*'))
    expect(all).toMatch(/^local-\* .*your configuration$/m)
  })

  it('refuses prices in a project’s file', async () => {
    const folder = createFolder()
    folder.write('plimsoll.yaml', 'prices: { gpt-5.5: { input: 0, output: 0 } }')
    const { code, stderr } = await runCaptured(['prices', 'gpt-5.5'], { folder: folder.path })
    folder.remove()
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('may not decide what your models cost') })
  })

  it('says how to set a price that nobody knows, after the prices that are known', async () => {
    const { code, stdout, stderr } = await runCaptured(['prices', 'gpt-5', 'own-model-1'])
    expect({ code, stdout: stdout.includes('gpt-5') }).toEqual({ code: 1, stdout: true })
    expect(stderr).toContain(english.unknown('"own-model-1"', '"own-model-1"'))
  })

  it('refuses a day that is none', async () => {
    const { code, stderr } = await runCaptured(['prices', '--day', '2026-02-31x'])
    expect({ code, stderr: stderr.includes('--day') }).toEqual({ code: 2, stderr: true })
  })

  it('speaks Chinese', async () => {
    const { stdout } = await runCaptured(['prices', 'gpt-5'], { environment: { LANG: 'zh_CN.UTF-8' } })
    expect(stdout).toContain(chinese.origins.list)
  })
})
