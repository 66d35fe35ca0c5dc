import type { ReadProblem } from '../../files/problem.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText, grouped } from './text.ts'

export function problemText(problem: ReadProblem, file: string, strings: Strings['problem']): string {
  return (texts[problem.kind] as (problem: ReadProblem, file: string, strings: Strings['problem']) => string)(
    problem,
    file,
    strings,
  )
}

type Text<Kind> = (problem: Extract<ReadProblem, { readonly kind: Kind }>, file: string, strings: Strings['problem']) => string

const texts: { readonly [Kind in ReadProblem['kind']]: Text<Kind> } = {
  'not-found': (_, file, strings) => strings.notFound(file),
  'is-folder': (_, file, strings) => strings.isFolder(file),
  'no-permission': (_, file, strings) => strings.noPermission(file),
  empty: (_, file, strings) => strings.empty(file),
  'not-utf8': (_, file, strings) => strings.notUtf8(file),
  utf16: (_, file, strings) => strings.utf16(file),
  unreadable: ({ code }, file, strings) => strings.unreadable(file, code),
  'too-large': ({ limit }, file, strings) => strings.tooLarge(file, `${grouped(limit / 1_000_000)} MB`),
  'too-many-values': ({ limit }, file, strings) => strings.tooManyValues(file, grouped(limit)),
  'too-many-parts': ({ limit }, file, strings) => strings.tooManyParts(file, grouped(limit)),
  'not-json': ({ fault: { line, column, expected, came } }, file, strings) => {
    const shown = came === null ? strings.endOfText : nameCharacter(came)
    return strings.notJson(file, line, column, strings.expected[expected], shown)
  },
  'too-deep': ({ place, limit }, file, strings) => strings.tooDeep(file, cleanText(place), limit),
  'other-format': ({ format }, file, strings) => strings.otherFormat(file, format),
  'not-readable': ({ dialect, message }, file, strings) => strings.notReadable(file, dialect, cleanText(message)),
  'no-messages': ({ came }, file, strings) => strings.noMessages(file, cleanText(came)),
  'line-without-message': ({ line }, file, strings) => strings.lineWithoutMessage(file, line),
  'no-such-conversation': ({ wanted, count }, file, strings) => strings.noSuchConversation(file, wanted, count),
}

function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return cleanText(character).trim() === '' ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : `"${character}"`
}
