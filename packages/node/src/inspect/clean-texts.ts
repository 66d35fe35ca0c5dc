import type { Message, Part, ToolCallPart, ToolResultPart } from '@plimsoll/core'
import { grouped } from '@plimsoll/core/text'
import { redactValue } from '../session/redact-entry.ts'
import { redactHomeFolders, redactSecrets } from '../shared/redact/redact.ts'
import type { Strings } from '../strings/strings-for.ts'

interface CleanOptions {
  readonly isRedacted: boolean
  /** The user's home folder. */
  readonly home: string | null
  readonly strings: Pick<Strings['page'], 'cutText'>
}

export type TextCleaner = ReturnType<typeof createTextCleaner>

/** Redacts secrets in texts and cuts long texts, and counts both. */
export function createTextCleaner({ isRedacted, home, strings }: CleanOptions) {
  const counts = { secrets: 0, homes: 0, texts: 0 }
  const ids = new Map<string, string>()
  const ownHome = isRedacted ? homePattern(home) : null

  const redact = (text: string): string => {
    if (!isRedacted) return text
    const safe = redactSecrets(text)
    if (safe !== text) counts.secrets += countOf(safe, secretMark) - countOf(text, secretMark)
    const homeless = redactHomeFolders(ownHome === null ? safe : safe.replace(ownHome, '~'))
    if (homeless !== safe) counts.homes += Math.max(1, countOf(homeless, '~') - countOf(safe, '~'))
    return homeless
  }

  // Redacted first: half of a secret is not recognised.
  const cleanText = (text: string, limit: number): string => {
    const safe = redact(text)
    if (safe.length <= limit) return safe
    counts.texts += 1
    const tailLength = Math.floor(limit / 4)
    const head = safe.slice(0, limit - tailLength).replace(/[\ud800-\udbff]$/, '')
    const tail = safe.slice(safe.length - tailLength).replace(/^[\udc00-\udfff]/, '')
    return `${head}\n${strings.cutText(grouped(safe.length - head.length - tail.length))}\n${tail}`
  }

  /** Keeps a JSON value unless it is too long; then its text is cut like any other. */
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
      ...cleanContents(part, limit),
      ...(options === undefined ? {} : { providerOptions: options }),
      ...(facts === undefined ? {} : { metadata: facts }),
    } as Kind
  }

  const cleanContents = (part: Exclude<Part, { type: 'media' }>, limit: number): Partial<Part> => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return { text: cleanText(part.text, limit) }
      case 'tool-call':
        return { ...cleanNames(part), input: cleanValue(part.input, limit) }
      case 'tool-result':
        return { ...cleanNames(part), content: cleanContent(part.content, limit) }
    }
  }

  /** An id still joins a call and its result, so two that were redacted stay two. */
  const cleanNames = ({ tool, callId }: ToolCallPart | ToolResultPart) => {
    const safe = callId === null ? null : redact(callId)
    if (callId !== null && safe !== callId && !ids.has(callId)) ids.set(callId, `${safe} ${ids.size + 1}`)
    return { tool: tool === null ? null : redact(tool), callId: callId === null ? null : (ids.get(callId) ?? callId) }
  }

  return {
    text: cleanText,
    /** Cleans all text of a message. Images are not read. */
    message: (message: Message, limit: number): Message => ({
      ...message,
      parts: message.parts.map((part) => cleanPart(part, limit)),
    }),
    counts: () => ({ ...counts }),
  }
}

const secretMark = '[REDACTED:'

function homePattern(home: string | null): RegExp | null {
  // A path this short is no one's home.
  if (home === null || home.length < 3) return null
  return new RegExp(`${home.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g')
}

function countOf(text: string, mark: string): number {
  return text.split(mark).length - 1
}
