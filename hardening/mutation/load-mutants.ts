import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMutatedCore } from './mutated-core.ts'
import { createSwitchboard } from './switchboard.ts'

const folder = process.env['MUTATION_FOLDER'] ?? ''

// Loads the mutated copy of each file of the engine; the tests themselves are unchanged.
if (globalThis.mutationSwitches === undefined) {
  const { sources, files, mutants } = readMutatedCore(folder)
  const mutated = new Map(files.map(({ file }) => [join(sources, file), join(folder, file)]))
  globalThis.mutationSwitches = createSwitchboard({ mutants: mutants.length, files: files.length })
  registerHooks({
    load(url, context, next) {
      const copy = url.startsWith('file:') ? mutated.get(fileURLToPath(url)) : undefined
      if (copy === undefined) return next(url, context)
      return { format: 'module-typescript', source: readFileSync(copy, 'utf8'), shortCircuit: true }
    },
  })
}
