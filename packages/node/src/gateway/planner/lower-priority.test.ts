import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { lowerPriority } from './lower-priority.ts'

test('only the calling thread gets a lower priority, and never the main thread of a process', async () => {
  const before = getPriority()
  const file = new URL('./lower-priority.ts', import.meta.url)
  const code = `import { getPriority } from 'node:os'
    import { readlinkSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    import { lowerPriority } from ${JSON.stringify(file.href)}
    const isLower = lowerPriority(7)
    const thread = isLower ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : 0
    parentPort.postMessage(isLower ? getPriority(thread) : null)`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  const priority = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await worker.terminate()
  expect(priority).toBe(process.platform === 'linux' ? Math.max(7, before) : null)
  expect(getPriority()).toBe(before)
})

test('a program without threads keeps its priority', () => {
  const before = getPriority()
  if (process.platform === 'linux') lowerPriority(before)
  expect(getPriority()).toBe(before)
})

test('a patient thread has the usual priority while it does urgent work alone or rests, if the system lets it', async () => {
  const before = getPriority()
  const file = new URL('./lower-priority.ts', import.meta.url)
  const code = `import { getPriority, setPriority } from 'node:os'
    import { readlinkSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    import { createPatientThread } from ${JSON.stringify(file.href)}
    const priority = () => process.platform === 'linux' ? getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1))) : 0
    let canRaise = process.platform === 'linux'
    const usual = getPriority()
    const number = Number(canRaise ? readlinkSync('/proc/thread-self').split('/').at(-1) : 0)
    try { if (canRaise) setPriority(number, usual + 1), setPriority(number, usual) } catch { canRaise = false }
    const thread = createPatientThread()
    const seen = [priority()]
    const note = (work) => { work(); seen.push(priority()) }
    let large, urgent, other
    note(() => { urgent = thread.begin(true) })
    note(() => { large = thread.begin(false) })
    note(() => { other = thread.begin(true) })
    note(() => other())
    note(() => large())
    note(() => urgent())
    note(() => thread.rest())
    note(() => { large = thread.begin(false) })
    note(() => large())
    parentPort.postMessage({ canRaise, seen })`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  const { canRaise, seen } = await new Promise<{ readonly canRaise: boolean; readonly seen: unknown }>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  )
  await worker.terminate()
  const low = process.platform === 'linux' ? Math.max(10, before) : 0
  const usual = canRaise ? before : low
  expect(seen).toEqual([low, usual, low, low, low, usual, low, usual, low, low])
})
