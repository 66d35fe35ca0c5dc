import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { grouped } from '@plimsoll/core/text'
import { redactValue } from '../session/redact-entry.ts'
import type { EmbeddedLeft } from '../shared/inspection/embedded-inspection.ts'
import { redactHomeFolders, redactSecrets } from '../shared/redact/redact.ts'
import type { Strings } from '../strings/strings-for.ts'

/** What is taken out of texts before they go into a page. */
export interface CleanOptions {
  readonly isRedacted: boolean
  /** The user's own folder, wherever it lies. */
  readonly home: string | null
  readonly strings: Pick<Strings['page'], 'cutText'>
}

/** Takes secrets out of texts and cuts those that are too long, and counts what it did. */
export interface TextCleaner {
  readonly text: (text: string, limit: number) => string
  /** Everything that a message says. Pictures are not looked at. */
  readonly message: (message: Message, limit: number) => Message
  readonly counts: () => Pick<EmbeddedLeft, 'secrets' | 'homes' | 'texts'>
}

/** A cleaner that has seen nothing yet. */
export function createTextCleaner({ isRedacted, home, strings }: CleanOptions): TextCleaner {
  const counts = { secrets: 0, homes: 0, texts: 0 }
  const ownHome = isRedacted ? homePattern(home) : null

  const redact = (text: string): string => {
    if (!isRedacted) return text
    const safe = redactSecrets(text)
    if (safe !== text) counts.secrets += countOf(safe, secretMark) - countOf(text, secretMark)
    const homeless = redactHomeFolders(ownHome === null ? safe : safe.replace(ownHome, '~'))
    if (homeless !== safe) counts.homes += Math.max(1, countOf(homeless, '~') - countOf(safe, '~'))
    return homeless
  }

  const cleanText = (text: string, limit: number): string => {
    if (text.length <= limit) return redact(text)
    counts.texts += 1
    const tailLength = Math.floor(limit / 4)
    const head = headOf(redact(text.slice(0, limit - tailLength + margin)), limit - tailLength)
    const tail = tailOf(redact(text.slice(-(tailLength + margin))), tailLength)
    return `${head}\n${strings.cutText(grouped(text.length - head.length - tail.length))}\n${tail}`
  }

  /** A value of JSON stays one where it is not too long; else its text is cut like any other. */
  const cleanValue = (value: unknown, limit: number): unknown => {
    if (typeof value === 'string') return cleanText(value, limit)
    const text = JSON.stringify(value) ?? ''
    return text.length > limit ? cleanText(text, limit) : isRedacted ? redactValue(value, redact) : value
  }

  const cleanFields = <Value extends object>(fields: Value, limit: number): Value | undefined => {
    const clean = cleanValue(fields, limit)
    return typeof clean === 'string' ? undefined : (clean as Value)
  }

  const cleanContent = (content: ToolResultPart['content'], limit: number): ToolResultPart['content'] => {
    switch (content.type) {
      case 'text':
        return { ...content, text: cleanText(content.text, limit) }
      case 'list':
        return { ...content, items: content.items.map((item) => cleanPart(item, limit)) }
      case 'json': {
        const value = cleanValue(content.value, limit)
        const isCut = typeof value === 'string' && typeof content.value !== 'string'
        return isCut ? { type: 'text', text: value } : { ...content, value }
      }
    }
  }

  const cleanPart = <Kind extends Part>(part: Kind, limit: number): Kind => {
    if (part.type === 'media') return part
    const { providerOptions, metadata, ...rest } = part as Part & { providerOptions?: object; metadata?: object }
    const options = providerOptions === undefined ? undefined : cleanFields(providerOptions, limit)
    const facts = metadata === undefined ? undefined : cleanFields(metadata, limit)
    return {
      ...rest,
      ...cleanWords(part, limit),
      ...(options === undefined ? {} : { providerOptions: options }),
      ...(facts === undefined ? {} : { metadata: facts }),
    } as Kind
  }

  const cleanWords = (part: Exclude<Part, { type: 'media' }>, limit: number): Partial<Part> => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return { text: cleanText(part.text, limit) }
      case 'tool-call':
        return { input: cleanValue(part.input, limit) }
      case 'tool-result':
        return { content: cleanContent(part.content, limit) }
    }
  }

  return {
    text: cleanText,
    message: (message, limit) => ({ ...message, parts: message.parts.map((part) => cleanPart(part, limit)) }),
    counts: () => ({ ...counts }),
  }
}

/** So far beyond a cut a text is looked at, so that no secret is cut in half and then not known for one. */
const margin = 4096
const secretMark = '[REDACTED:'

/** What was blanked made the text shorter: its very end may still be half of something. */
function headOf(text: string, length: number): string {
  const head = text.slice(0, Math.max(0, Math.min(length, text.length - margin / 4)))
  return isHighSurrogate(head.charCodeAt(head.length - 1)) ? head.slice(0, -1) : head
}

function tailOf(text: string, length: number): string {
  const tail = text.slice(Math.max(text.length - length, margin / 4))
  return isLowSurrogate(tail.charCodeAt(0)) ? tail.slice(1) : tail
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

function homePattern(home: string | null): RegExp | null {
  // The root of everything is nobody's.
  if (home === null || home.length < 3) return null
  return new RegExp(`${home.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g')
}

function countOf(text: string, mark: string): number {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) count += 1
  return count
}
