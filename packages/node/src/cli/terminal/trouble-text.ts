import type { Trouble } from '../../files/trouble.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from './clean-text.ts'
import { grouped } from './format.ts'

/** Explains a problem with a file. */
export function troubleText(trouble: Trouble, file: string, strings: Strings['trouble']): string {
  switch (trouble.kind) {
    case 'not-found':
      return strings.notFound(file)
    case 'is-folder':
      return strings.isFolder(file)
    case 'no-permission':
      return strings.noPermission(file)
    case 'empty':
      return strings.empty(file)
    case 'not-utf8':
      return strings.notUtf8(file)
    case 'utf16':
      return strings.utf16(file)
    case 'unreadable':
      return strings.unreadable(file, trouble.code)
    case 'too-large':
      return strings.tooLarge(file, `${grouped(trouble.limit / 1_000_000)} MB`)
    case 'too-many-values':
      return strings.tooManyValues(file, grouped(trouble.limit))
    case 'too-many-parts':
      return strings.tooManyParts(file, grouped(trouble.limit))
    case 'not-json': {
      const { line, column, expected, came } = trouble.fault
      return strings.notJson(
        file,
        line,
        column,
        strings.expected[expected],
        came === null ? strings.endOfText : nameCharacter(came),
      )
    }
    case 'too-deep':
      return strings.tooDeep(file, cleanText(trouble.place), trouble.limit)
    case 'other-format':
      return strings.otherFormat(file, trouble.format)
    case 'not-readable':
      return strings.notReadable(file, trouble.dialect, cleanText(trouble.message))
    case 'no-messages':
      return strings.noMessages(file, cleanText(trouble.came))
    case 'line-without-message':
      return strings.lineWithoutMessage(file, trouble.line)
    case 'no-such-conversation':
      return strings.noSuchConversation(file, trouble.wanted, trouble.count)
  }
}

function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return cleanText(character).trim() === '' ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : `"${character}"`
}
