import type { Facts } from '../facts.ts'
import { type ToolKind } from '../facts.ts'
import { callInput, type Message, type Part, type ToolCallPart } from '../message.ts'
import { toolRules } from '../results/tools.ts'
import { resultHandle } from '../results/transcript.ts'
import { labelText } from '../text/label-text.ts'
import type { Origin } from './recall.ts'

/** A part of a session where it stands, with what is known of the call it answers. */
export interface PlacedPart {
  readonly message: Message
  readonly part: Part
  readonly call: KnownCall | null
}

/** As much of a call as is worth keeping while a long session goes by. */
export interface KnownCall {
  readonly tool: string
  readonly kind: ToolKind
  /** The paths, commands or patterns it is about, joined and shortened. */
  readonly about: string
  /** What the caller wanted to know of it. */
  readonly meant: boolean
}

/** Goes through the parts of a session once, holding on to no message. `isMeant` is asked about every call as it comes by. */
export function* placedParts(
  messages: Iterable<Message>,
  facts: Facts,
  isMeant: (call: ToolCallPart, kind: ToolKind) => boolean = () => false,
): Generator<PlacedPart> {
  const calls = new Map<string, KnownCall>()
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool-call') {
        const call = knownCall(part, facts, isMeant)
        calls.set(part.callId, call)
        yield { message, part, call }
      } else {
        const id = part.type === 'tool-result' ? part.callId : null
        yield { message, part, call: id === null ? null : (calls.get(id) ?? null) }
      }
    }
  }
}

/** Where a part's text stands. */
export function originOf({ message, part, call }: PlacedPart, handle: string): Origin {
  const result = part.type === 'tool-result' ? part : null
  return {
    handle,
    message: message.id,
    role: message.role,
    tool: call?.tool ?? result?.tool ?? null,
    about: call?.about ?? '',
    media: result === null ? [] : mediaOf(result.content),
  }
}

/** The origin of a result by the handle of its complete text. */
export function originOfResult(placed: PlacedPart): Origin {
  return originOf(placed, placed.part.type === 'tool-result' ? resultHandle(placed.part) : '')
}

function knownCall(part: ToolCallPart, facts: Facts, isMeant: (call: ToolCallPart, kind: ToolKind) => boolean): KnownCall {
  const rules = toolRules(part.tool, facts.tools)
  const input = rules === null ? null : callInput(part)
  const kind = rules === null ? 'other' : input === null ? rules.kind : (rules.kindOf?.(input) ?? rules.kind)
  const about = input === null ? '' : labelText((rules?.about?.(input) ?? []).slice(0, 20).join(', '), longestAbout)
  return { tool: part.tool, kind, about, meant: isMeant(part, kind) }
}

const longestAbout = 120

function mediaOf(content: Extract<Part, { type: 'tool-result' }>['content']): readonly string[] {
  if (content.type !== 'list') return []
  return content.items.flatMap((item) => (item.type === 'media' ? [item.mediaType] : []))
}
