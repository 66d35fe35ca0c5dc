import { createHash } from 'node:crypto'

type Block = Readonly<Record<string, unknown>>

interface Turn {
  readonly role: string
  readonly content: unknown
}

/** A request as Anthropic reads it. */
export interface SignedRequest {
  readonly system?: unknown
  readonly tools?: unknown
  readonly messages: readonly Turn[]
}

/**
 * Signs thoughts and checks them as Anthropic documents it for models with preserved thinking
 * (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking): each thought is bound to the system prompt, the tools, every message
 * before it and the thought before it. Other thoughts and cache marks are not part of that. The first thoughts of a request may be omitted, and the
 * last ones, but no thought between others. The running chain of tool calls has to keep all of its thoughts
 * (https://platform.claude.com/docs/en/build-with-claude/thinking-tool-workflows). After a client's own summary, the thoughts of messages that it kept have
 * to go (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks).
 */
export function createSigningProvider() {
  const made = new Map<
    string,
    { readonly behind: string; readonly after: string | null; readonly thinking: unknown; readonly isBound: boolean }
  >()
  const thoughtOf = new Map<string, string>()

  return {
    /** The thought with which the answer to a request begins, and which calls it leads to. Those of older models are bound to nothing. */
    think(request: SignedRequest, thinking: string, calls: readonly string[] = [], isBound = true): Block {
      const { behind, after } = endOf(request)
      const signature = hashed([behind, after, thinking, String(made.size)])
      made.set(signature, { behind, after, thinking, isBound })
      if (isBound) for (const call of calls) thoughtOf.set(call, signature)
      return { type: 'thinking', thinking, signature }
    },
    /** Its client has compacted the conversation: all thoughts so far are bound to messages that are gone, so no chain can have them. */
    compacted(): void {
      thoughtOf.clear()
    },
    /** Why the provider would refuse a request; null if it would not. */
    refuses(request: SignedRequest): string | null {
      let hash = startOf(request)
      let before: string | null = null
      for (const [index, { role, content }] of request.messages.entries()) {
        const blocks = blocksOf(content)
        if (role === 'assistant' && blocks.length === 0) return `messages.${index}: empty`
        for (const [place, block] of blocks.entries()) {
          if (!isThinking(block)) {
            hash = after(hash, role, block)
            continue
          }
          const where = `messages.${index}.content.${place}`
          const signature = signatureOf(block)
          const known = made.get(signature)
          const isText = block['type'] === 'thinking'
          if (known === undefined || (isText && known.thinking !== block['thinking'])) return `${where}: invalid signature`
          if (!known.isBound) continue
          if (known.behind !== hash) return `${where}: the block is bound to a different conversation`
          if (before !== null && before !== known.after) return `${where}: a block before it is missing`
          before = signature
        }
      }
      return missingInChain(request)
    },
  }

  function endOf(request: SignedRequest): { readonly behind: string; readonly after: string | null } {
    let behind = startOf(request)
    let last: string | null = null
    for (const { role, content } of request.messages)
      for (const block of blocksOf(content)) {
        if (isThinking(block)) last = made.get(signatureOf(block))?.isBound === true ? signatureOf(block) : last
        else behind = after(behind, role, block)
      }
    return { behind, after: last }
  }

  function missingInChain({ messages }: SignedRequest): string | null {
    for (let index = messages.length - 1; index >= 0; index -= 1) {
      const { role, content } = messages[index] as Turn
      const blocks = blocksOf(content)
      if (role === 'user' && !blocks.some(({ type }) => type === 'tool_result')) return null
      if (role !== 'assistant') continue
      const calls = blocks.filter(({ type }) => type === 'tool_use')
      if (calls.length === 0) return null
      const kept = new Set(blocks.filter(isThinking).map(signatureOf))
      for (const { id } of calls) {
        const thought = thoughtOf.get(String(id))
        if (thought !== undefined && !kept.has(thought)) return `messages.${index}: the thought before ${String(id)} is missing`
      }
    }
    return null
  }
}

function startOf({ system, tools }: SignedRequest): string {
  return hashed([canonical(system), canonical(tools)])
}

function after(hash: string, role: string, block: Block): string {
  return hashed([hash, role, canonical(block)])
}

function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as readonly Block[]) : []
}

/** A hidden thought is encrypted as a whole. */
function signatureOf(block: Block): string {
  return String(block['signature'] ?? block['data'])
}

function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/** Field order and cache marks do not count. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (key === 'cache_control') return undefined
    if (item === null || typeof item !== 'object' || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

function hashed(parts: readonly (string | null | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
