import type { Overflow } from '../report.ts'
import { overflowStringsFor } from '../strings/strings-for.ts'
import { grouped } from '../text/grouped.ts'

/** An overflow as sentences: what is over the line, what to do about it, and the parts that are in the way. In Chinese for `zh…`, else in English. */
export function describeOverflow(
  { tokens, limit, bytes, maxBytes, images, maxImages, parts }: Overflow,
  locale: string | null,
): { readonly sentences: readonly string[]; readonly parts: readonly string[] } {
  const strings = overflowStringsFor(locale)
  return {
    sentences: [
      ...(tokens > limit ? [strings.tokens(grouped(tokens), grouped(limit))] : []),
      ...(maxBytes !== null && bytes > maxBytes ? [strings.bytes(grouped(bytes), grouped(maxBytes))] : []),
      ...(maxImages !== null && images > maxImages ? [strings.images(grouped(images), grouped(maxImages))] : []),
      strings.whatToDo,
    ],
    parts: parts.map((part) => strings.part(grouped(part.tokens), part.message, part.why)),
  }
}
