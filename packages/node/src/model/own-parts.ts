import type { Message, Part } from '@plimsoll/core'

/**
 * The messages as one provider may see them again: what another one wants back is left out, and so are the thoughts of another,
 * which most refuse. Thoughts whose origin is not known are shown where `takesUnknown` is set. An answer that neither says nor asks
 * for anything is left out, thoughts and all: no provider takes it. The same messages give the very same ones each time.
 */
export function ownParts(messages: readonly Message[], provider: string, takesUnknown: boolean): readonly Message[] {
  const key = `${provider} ${takesUnknown}`
  let known = remembered.get(key)
  if (known === undefined) {
    known = new WeakMap()
    remembered.set(key, known)
  }
  const changed: Message[] = []
  for (const message of messages) {
    let own = known.get(message)
    if (own === undefined) {
      own = ownMessage(message, provider, takesUnknown)
      known.set(message, own)
    }
    if (own.role !== 'assistant' || own.parts.some(isSaid)) changed.push(own)
  }
  return changed
}

const remembered = new Map<string, WeakMap<Message, Message>>()

function ownMessage(message: Message, provider: string, takesUnknown: boolean): Message {
  const parts = message.parts.flatMap((part) => ownPart(part, provider, takesUnknown))
  return parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index])
    ? message
    : { ...message, parts }
}

function isSaid(part: Part): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'
}

function ownPart(part: Part, provider: string, takesUnknown: boolean): readonly Part[] {
  if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-call') return [part]
  const { providerOptions } = part
  if (providerOptions === undefined) return part.type === 'reasoning' && !takesUnknown ? [] : [part]
  const own = Object.hasOwn(providerOptions, provider) ? providerOptions[provider] : undefined
  if (own === undefined && part.type === 'reasoning') return []
  if (own !== undefined && Object.keys(providerOptions).length === 1) return [part]
  const { providerOptions: _others, ...rest } = part
  return [own === undefined ? rest : { ...rest, providerOptions: { [provider]: own } }]
}
