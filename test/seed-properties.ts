import fc from 'fast-check'
import { beforeEach } from 'vitest'

/** With another number every property tries other values than it does by default. */
const shift = Number(process.env['PROPERTY_SEED'] ?? 0)

// What a property tries depends on its name alone: a run finds what the run before found, on every machine.
fc.configureGlobal({ seed: shift })
beforeEach(({ task }) => fc.configureGlobal({ seed: seedOf(task.fullTestName) }))

function seedOf(name: string): number {
  let seed = shift
  for (const character of name) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0
  return seed
}
