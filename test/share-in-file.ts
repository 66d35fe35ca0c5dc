import { beforeAll, onTestFinished } from 'vitest'

type End = () => unknown

let shared: End[] | null = null

/** Runs a cleanup after the test that started something, or after the file if all its tests share it. */
export function whenOver(end: End): void {
  if (shared === null) onTestFinished(async () => void (await end()))
  else shared.push(end)
}

/** Creates something once for all tests of a file, which must not change it. It is cleaned up after the last test. */
export function shareInFile<Value>(make: () => Promise<Value>): () => Value {
  let made: { readonly value: Value } | null = null
  beforeAll(async () => {
    const ends: End[] = []
    const endAll = async () => {
      for (const end of ends.toReversed()) await end()
    }
    shared = ends
    try {
      made = { value: await make() }
    } catch (error) {
      await endAll()
      throw error
    } finally {
      shared = null
    }
    return endAll
  })
  return () => {
    if (made === null) throw new Error('it is made before the first test, not before')
    return made.value
  }
}
