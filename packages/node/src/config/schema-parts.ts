import { z } from 'zod'

// The error of each schema is the end of a sentence that begins with "expected".

/** A whole number that is not less than this. */
export const wholeNumber = (least: number, most?: number) => {
  const error = most === undefined ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`
  return z
    .int({ error })
    .min(least, { error })
    .max(most ?? Number.MAX_SAFE_INTEGER, { error })
}

/** A number that is not less than this. */
export const numberFrom = (least: number) => {
  const error = `a number, ${least} or more`
  return z.number({ error }).min(least, { error })
}

/** Yes or no. */
export const flag = () => z.boolean({ error: 'true or false' })

/** A text that is not empty. */
export const name = (error: string) => z.string({ error }).min(1, { error })

/** One of a few words. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: oneOf(values) })

/** A mapping of settings, which may be left out. */
export const section = <Shape extends z.core.$ZodLooseShape>(shape: Shape, description: string) =>
  z.strictObject(shape, { error: 'a mapping of settings' }).describe(description).exactOptional()

/** Words in a sentence. */
export function oneOf(values: readonly string[]): string {
  return `${values
    .slice(0, -1)
    .map((value) => `"${value}"`)
    .join(', ')} or "${values.at(-1)}"`
}
