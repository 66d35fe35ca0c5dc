// Preloaded into a process: on a signal, it collects garbage and writes its heap size to a file.
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
    // Renamed into place, so that readers never see half a file.
    writeFileSync(`${file}.new`, JSON.stringify(heapUsed + external))
    renameSync(`${file}.new`, file)
  })
