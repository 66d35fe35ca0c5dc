import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handleOf, type ToolResultPart } from '@plimsoll/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecallFiles, expireRecallFiles } from './recall-files.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-originals-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const day = 86_400_000
const startTime = 1_700_000_000_000
const original = (text: string): ToolResultPart => ({
  type: 'tool-result',
  callId: 'call',
  tool: 'Bash',
  content: { type: 'text', text },
})
const nameOf = (text: string) => `${handleOf(text)}.txt`

test('expiry removes unused originals, and keeps those in use and other files', async () => {
  let now = startTime
  const files = createRecallFiles(folder, () => now)
  await files.keep([original('used once'), original('used again')])
  const draft = `${nameOf('never finished')}.0a1b2c3d-0000-4000-8000-000000000000`
  await writeFile(join(folder, draft), 'half')
  await writeFile(join(folder, 'notes.txt'), 'of somebody')
  for (const name of [draft, 'notes.txt', nameOf('used once'), nameOf('used again')])
    await utimes(join(folder, name), startTime / 1000, startTime / 1000)
  now = startTime + 20 * day
  await files.keep([original('used again')])
  await expireRecallFiles(folder, startTime + day)
  expect((await readdir(folder)).sort()).toEqual(['notes.txt', nameOf('used again')].sort())
})

test('a removed original is written again when it is next hidden', async () => {
  let now = startTime
  const files = createRecallFiles(folder, () => now)
  await files.keep([original('hidden')])
  now += 40 * day
  await expireRecallFiles(folder, Date.now() + day)
  await files.keep([original('hidden')])
  expect(await readFile(join(folder, nameOf('hidden')), 'utf8')).toBe('hidden')
})

test('a text crafted to have the handle of another one is not stored under it, now or after a restart', async () => {
  const [first, second] = [939_731, 2_967_722].map(
    (number) => `${Array.from({ length: 24 }, (_, bit) => ((number >> bit) & 1 ? '\u8061' : 'a')).join('')}tail`,
  ) as [string, string]
  expect(handleOf(second)).toBe(handleOf(first))
  const files = createRecallFiles(folder, () => startTime)
  await files.keep([original(first)])
  await expect(files.keep([original(second)])).rejects.toThrow('another text has the same handle')
  await expect(createRecallFiles(folder, () => startTime).keep([original(second)])).rejects.toThrow(
    'another text has the same handle',
  )
  await createRecallFiles(folder, () => startTime).keep([original(first)])
  expect(await readFile(join(folder, nameOf(first)), 'utf8')).toBe(first)
})
