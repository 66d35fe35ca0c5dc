import fc from 'fast-check'
import { beforeEach } from 'vitest'

/** Any other number makes every property try different values. */
const shift = Number(process.env['PROPERTY_SEED'] ?? 0)

// The values of a property depend only on its name, so every run on every machine finds the same failures.
fc.configureGlobal({ seed: shift })
beforeEach(({ task }) => fc.configureGlobal({ seed: seedOf(task.fullTestName) }))

function seedOf(name: string): number {
  let seed = shift
  for (const character of name) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0
  return seed
}
