// Loaded into a process before anything else: when asked by a signal, it collects garbage and writes down what it still holds.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const file = join(process.env['HOME'] ?? '', 'memory.json')

if (isMainThread)
  process.on('SIGUSR2', () => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    // Whoever reads it reads all of it.
    writeFileSync(`${file}.new`, JSON.stringify(heapUsed + external))
    renameSync(`${file}.new`, file)
  })
