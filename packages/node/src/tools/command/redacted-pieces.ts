/** Takes secrets out of a text that comes in pieces. */
export interface RedactedPieces {
  /** The text that is certain by now. */
  readonly write: (piece: string) => string
  readonly end: () => string
}

/**
 * Redacts a text by whole lines, some of them together, because secrets are known by what stands around them. A block that only
 * begins, as that of a private key, is waited for. In a line without end, what stands at the place where it has to be cut may stay.
 */
export function redactedPieces(redact: (text: string) => string): RedactedPieces {
  let waiting = ''
  return {
    write(piece) {
      waiting += piece
      if (waiting.length < enough) return ''
      const end = certainEnd(waiting)
      const certain = waiting.slice(0, end)
      waiting = waiting.slice(end)
      return redact(certain)
    },
    end() {
      const rest = waiting
      waiting = ''
      return redact(rest)
    },
  }
}

const enough = 131_072
/** No block of a key is longer. */
const longestBlock = 20_000

function certainEnd(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  const end = line > 0 ? line : wholeCharacters(text, text.length - longestBlock)
  const block = text.lastIndexOf('-----BEGIN ', end)
  const close = text.indexOf('-----END ', block)
  // Its last line may have begun behind the last whole one.
  const isOpen = block > end - longestBlock && block !== -1 && (close === -1 || close >= end)
  return isOpen ? block : end
}

function wholeCharacters(text: string, end: number): number {
  return (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end - 1 : end
}
