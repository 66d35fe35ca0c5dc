import { beforeAll, onTestFinished } from 'vitest'

type End = () => unknown

let shared: End[] | null = null

/** Has something end with the test that began it, or, where all tests of a file share it, with the file. */
export function whenOver(end: End): void {
  if (shared === null) onTestFinished(async () => void (await end()))
  else shared.push(end)
}

/** Makes something once for all tests of a file, which must leave it as it is. What it began ends after the last of them. */
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
