import type { Message } from '@plimsoll/core'
import { type ModelStrings, messageText, modelStrings, pathKey } from '@plimsoll/core/text'

export interface MentionOptions {
  /** Whether a name without `/` and `.` is a file of the project. Default: false, so that `@alice` stays a person. */
  readonly exists?: (path: string) => boolean
}

/**
 * Finds the files a user's text mentions as `@path` or `@"path with spaces"`, in order, each once, as the user spelled it. Skips
 * paths outside the project, and an `@` right after a letter or digit, as in an e-mail address; Chinese and Japanese text has no
 * spaces, so its characters may precede one. Calls `exists` for at most a hundred names without `/` and `.`.
 */
export function mentionsIn(text: string, { exists }: MentionOptions = {}): readonly string[] {
  const found = new Map<string, string>()
  const asked = new Map<string, boolean>()
  for (const match of text.matchAll(mention)) {
    if (followsWord(text, match.index)) continue
    const quoted = match[1] ?? match[2]
    const path = quoted === undefined ? stripped(match[3] ?? '') : quoted.trim()
    const key = projectKey(path)
    if (key === null || found.has(key)) continue
    if (!/[/.]/.test(path) && quoted === undefined && !isKnown(path)) continue
    found.set(key, path)
  }
  return [...found.values()]

  function isKnown(word: string): boolean {
    const known = asked.get(word)
    if (known !== undefined || exists === undefined || asked.size >= maxAsked) return known ?? false
    const answer = exists(word)
    asked.set(word, answer)
    return answer
  }
}

/**
 * Appends a reminder to read the files a text mentions; returns the same text if it mentions none. The reminder follows an empty
 * line and ends the text. If the user's text contains a reminder too, ours is the last one, and no path in it can end it early.
 */
export function withMentionReminder(
  text: string,
  options: MentionOptions & { readonly strings?: Partial<ModelStrings> } = {},
): string {
  const paths = mentionsIn(text, options)
  if (paths.length === 0) return text
  const shown = paths.slice(0, maxNamed).map((path) => (bare.test(path) ? `@${path}` : `@"${path}"`))
  const { filesMentioned } = { ...modelStrings, ...options.strings }
  return `${text}\n\n${filesMentioned(shown, paths.length - shown.length)}`
}

/**
 * Removes the reminder that `withMentionReminder` appended. A reminder with any other text, or with a file that the text before
 * it does not mention, is part of the user's text and stays.
 */
function withoutMentionReminder(text: string): string {
  const start = text.lastIndexOf(reminderStart)
  if (start < 0) return text
  const said = text.slice(0, start)
  const names = reminderForm.exec(text.slice(start))?.[1]?.match(listedName) ?? []
  const isOurs = names.length > 0 && names.every((name) => said.includes(name.replaceAll(/^@"?|"$/g, '')))
  return isOurs ? said : text
}

const reminderStart = '\n\n<system-reminder>\n'
const listed = '@(?:"[^"\\n<>]{1,1024}"|[a-zA-Z0-9/._-]{1,1024})'
const listedName = new RegExp(listed, 'g')
const reminderForm = new RegExp(
  `^${reminderStart}The user mentioned (${listed}(?:, ${listed}){0,4}(?:, \\(and \\d{1,9} more…\\))?)\\.\\n` +
    'You MUST read (?:this file|these files) with the Read tool before answering\\.\\n</system-reminder>$',
)

const maxNamed = 5
const maxAsked = 100
const maxPathLength = 1024

// Chinese keyboards write the quotes as “ and ”.
const mention = /@(?:"([^"\r\n]+)"|“([^“”\r\n]+)”|([a-zA-Z0-9/._-]+(?:\.[a-zA-Z0-9]+)?))/g
const bare = /^[a-zA-Z0-9/._-]*[a-zA-Z0-9/_]$/
const wordCharacter = /[\p{L}\p{N}\p{M}]/u
const unspacedCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
// Control characters would break the reminder's lines, and angle brackets could end it.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}<>]/u

function followsWord(text: string, at: number): boolean {
  if (at === 0) return false
  const low = text.charCodeAt(at - 1)
  const paired = low >= 0xdc00 && low <= 0xdfff && at > 1
  const before = text.slice(at - (paired ? 2 : 1), at)
  return wordCharacter.test(before) && !unspacedCharacter.test(before)
}

/** Removes the punctuation that ends a sentence. A loop, because a pattern anchored at the end is slow on long runs. */
function stripped(path: string): string {
  let end = path.length
  while (end > 0 && (path[end - 1] === '.' || path[end - 1] === '-')) end -= 1
  return path.slice(0, end)
}

function projectKey(path: string): string | null {
  if (path === '' || path.length > maxPathLength || unsafe.test(path) || path.includes('"')) return null
  // Read by either system's rules, so that no spelling leads outside on one of them.
  const slashed = path.replaceAll('\\', '/')
  if (slashed.startsWith('/') || slashed.startsWith('~') || /^[A-Za-z]:/.test(slashed)) return null
  const key = pathKey(slashed, undefined, undefined)
  return key === '' || key === '.' || key === '..' || key.startsWith('../') ? null : key
}

/** Returns the user's text in a message, without the reminder that the agent adds. */
export function saidText(message: Message): string {
  return withoutMentionReminder(messageText(message))
}

/** Whether a message is from the user, and not a summary. */
export function isSaid({ role, summary }: Message): boolean {
  return role === 'user' && summary !== true
}
