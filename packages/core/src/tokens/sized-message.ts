import type { Tokenizer } from '../facts.ts'
import { type Message, mediaIn, type Part, type Role } from '../message.ts'
import { countPart, measurePart, messageFrame } from './count-tokens.ts'
import type { WindowCategory } from './window-fill.ts'

/** The sizes of a message only: small enough to hold a hundred thousand of them. */
export interface SizedMessage {
  readonly id: string
  readonly role: Role
  /** When it was written; 0 if unknown. */
  readonly at: number
  /** The category of its frame, and the tool if that is `results`. */
  readonly category: WindowCategory
  readonly tool: string | null
  readonly frame: number
  readonly parts: readonly SizedPart[]
  readonly tokens: number
}

export interface SizedPart {
  readonly category: WindowCategory
  /** The tool of a call or a result; null for others. */
  readonly tool: string | null
  /** Without its images. */
  readonly tokens: number
  /** Images inside a result. */
  readonly images: number
}

export type ToolOfCall = (callId: string) => string | undefined

export type PartCounter = (part: Part) => number

/** For parts that are seen repeatedly: counts each once. */
export function rememberedCounts(tokens: Tokenizer): PartCounter {
  return (part) => countPart(part, tokens)
}

export function plainCounts(tokens: Tokenizer): PartCounter {
  return (part) => measurePart(part, tokens)
}

/** Results are named by the call that came before them, else by themselves. */
export function sizeMessage(message: Message, toolOf: ToolOfCall, count: PartCounter): SizedMessage {
  const isSummary = message.summary === true
  const parts: SizedPart[] = []
  let tokens = messageFrame
  let tool: string | null = null
  for (const part of message.parts) {
    const sized = sizePart(part, message, toolOf, count)
    tokens += sized.tokens + sized.images
    if (part.type === 'tool-result') tool = sized.tool
    parts.push(isSummary ? { category: 'summaries', tool: null, tokens: sized.tokens + sized.images, images: 0 } : sized)
  }
  const category = frameCategory(message)
  return {
    id: message.id,
    role: message.role,
    at: message.at ?? 0,
    category,
    tool: category === 'results' ? (tool ?? '') : null,
    frame: messageFrame,
    parts,
    tokens,
  }
}

export function sizePart(part: Part, message: Pick<Message, 'id' | 'role'>, toolOf: ToolOfCall, count: PartCounter): SizedPart {
  const tokens = count(part)
  switch (part.type) {
    case 'text':
      return { category: frameCategory(message), tool: null, tokens, images: 0 }
    case 'reasoning':
      return { category: 'reasoning', tool: null, tokens, images: 0 }
    case 'media':
      return { category: 'images', tool: null, tokens, images: 0 }
    case 'tool-call':
      return { category: 'calls', tool: part.tool, tokens, images: 0 }
    case 'tool-result': {
      const named = part.callId === null ? undefined : toolOf(part.callId)
      const images = mediaIn(part).reduce((sum, item) => sum + count(item), 0)
      return { category: 'results', tool: named ?? part.tool ?? '', tokens: tokens - images, images }
    }
  }
}

export function withSizedPart(message: SizedMessage, index: number, part: SizedPart): SizedMessage {
  const before = message.parts[index]
  if (before === undefined) return message
  const parts = message.parts.with(index, part)
  return {
    ...message,
    parts,
    tool:
      message.category === 'results'
        ? (parts.findLast(({ category, tool }) => category === 'results' && tool !== null)?.tool ?? '')
        : null,
    tokens: message.tokens - before.tokens - before.images + part.tokens + part.images,
  }
}

/** The largest category of a message, and its tool. */
export function mainPiece(message: SizedMessage): { readonly category: WindowCategory; readonly tool: string | null } {
  let { category, tool } = message
  let most = -1
  for (const part of message.parts) {
    if (part.tokens > most) {
      most = part.tokens
      category = part.category
    }
    if (part.images > most) {
      most = part.images
      category = 'images'
    }
    tool ??= part.tool
  }
  return { category, tool: category === 'calls' || category === 'results' || category === 'images' ? tool : null }
}

function frameCategory(message: Pick<Message, 'id' | 'role' | 'summary'>): WindowCategory {
  if (message.summary === true) return 'summaries'
  switch (message.role) {
    case 'system':
      return message.id === 'layer:rules' || message.id === 'layer:announcement' ? 'rules' : 'system'
    case 'user':
      return 'user'
    case 'assistant':
      return 'assistant'
    case 'tool':
      return 'results'
  }
}
