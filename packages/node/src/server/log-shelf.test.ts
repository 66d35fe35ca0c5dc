import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogShelf } from './log-shelf.ts'
import type { ApiError } from './refusal.ts'

function emptyShelf(maxBytes?: number) {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-shelf-'))
  const shelf = createLogShelf({
    environment: { HOME: home },
    platform: 'linux',
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })
  onTestFinished(async () => {
    await shelf.close()
    rmSync(home, { recursive: true })
  })
  return shelf
}

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}

describe('an uploaded file', () => {
  it('is accepted after an earlier one failed', async () => {
    const shelf = emptyShelf()
    const place = process.env['TMPDIR']
    process.env['TMPDIR'] = join(tmpdir(), 'plimsoll-nowhere')
    const failed = shelf.add('log', pieces('one')).catch((error: unknown) => (error as { readonly code?: string }).code)
    if (place === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = place
    expect(await failed).toBe('ENOENT')
    expect((await shelf.add('log', pieces('one'))).bytes).toBe(3)
  })

  it('counts while it is being uploaded, so that the limit holds', async () => {
    const shelf = emptyShelf()
    const added = await Promise.allSettled(Array.from({ length: 25 }, () => shelf.add('log', pieces('one'))))
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  })

  it('is readable only by its owner, and removed when the shelf is closed', async () => {
    const shelf = emptyShelf()
    const { id, agent, name, folder, bytes } = await shelf.add('../../etc/my\u202elog\n.json', pieces('one ', 'two'))
    expect({ agent, name, folder, bytes }).toEqual({
      agent: 'file',
      name: expect.not.stringMatching(/[\u202e\n/]/),
      folder: '',
      bytes: 7,
    })
    const path = await shelf.pathOf(id)
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([
      'one two',
      0o600,
      0o700,
    ])
    expect((await shelf.list()).map((row) => row.id)).toEqual([id])
    await shelf.close()
    expect(existsSync(dirname(path))).toBe(false)
  })

  it.each<[what: string, code: string, texts: readonly string[]]>([
    ['one that is too large, however it comes', 'TOO_LARGE', ['x'.repeat(900), 'x'.repeat(200)]],
    ['an empty one', 'EMPTY_FILE', []],
  ])('refuses %s, and keeps nothing of it', async (_what, code, texts) => {
    const shelf = emptyShelf(1000)
    await expect(shelf.add('x', pieces(...texts))).rejects.toMatchObject({ code } satisfies Partial<ApiError>)
    expect(await shelf.list()).toEqual([])
  })

  it('is refused beyond the maximum number of files', async () => {
    const shelf = emptyShelf()
    for (let number = 0; number < 20; number += 1) await shelf.add('x', pieces('x'))
    await expect(shelf.add('x', pieces('x'))).rejects.toMatchObject({ code: 'TOO_MANY_FILES' })
  })
})
