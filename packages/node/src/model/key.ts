import { ModelChoiceError } from './model-choice-error.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The key in the first of these variables that is set; null where none is. Throws, without the key, when it cannot be sent. */
export function keyIn(environment: Environment, variables: readonly string[]): string | null {
  for (const variable of variables) {
    const key = environment[variable]?.trim() ?? ''
    if (key === '') continue
    // Sending it would fail, and that error repeats it.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new ModelChoiceError(
        { kind: 'bad-key', variable },
        `${variable}: expected a key, in one word of plain letters and signs`,
      )
    return key
  }
  return null
}
