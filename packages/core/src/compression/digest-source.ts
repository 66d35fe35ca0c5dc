import type { Config } from '../config.ts'

/** The fields of a digest, or of the data a digest is made from. */
export type DigestFields = Readonly<Record<string, unknown>>

/** An old tool result, read as far as the digest of any tool needs it. */
export interface DigestSource {
  /** What the tool answered, as text. */
  readonly text: string
  /** The data of an answer that is JSON; null where it is plain text. */
  readonly fields: DigestFields | null
  /** The arguments of the call, or null where they are not known. */
  readonly input: DigestFields | null
  /** The paths, commands or patterns the call is about. */
  readonly about: readonly string[]
  readonly isError: boolean
  /** How much a digest shows. */
  readonly settings: Config['compression']
}

/**
 * Says what of an old result is still shown, as the `data` of its digest; null leaves the result whole. It may be asked about a
 * digest of its own, in a view that is read as a log: whoever then returns `fields` as they are leaves it as it is.
 */
export type DigestRule = (source: DigestSource) => DigestFields | null
