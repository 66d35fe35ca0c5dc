import type { Message } from '@plimsoll/core'
import type { CategoryTokens } from '@plimsoll/core/bill'
import { type PartCounter, type SizedMessage, sizeMessage } from '@plimsoll/core/bill'
import type { RequestEntry } from '@plimsoll/core/session'

/** What stands around a conversation takes up. */
export interface LayerSizes {
  readonly tokens: number
  readonly categories: CategoryTokens
}

/** Measures what stands around the conversation of a request, each text once. `layer` gives a text by its handle. */
export function createLayerSizes(
  layer: (handle: string) => string | undefined,
  count: PartCounter,
): (layers: RequestEntry['layers']) => LayerSizes {
  const known = new Map<string, SizedMessage>()

  const sizeOf = (name: string, handle: string): SizedMessage => {
    const key = `${name} ${handle}`
    let sized = known.get(key)
    if (sized === undefined) {
      const text = layer(handle) ?? ''
      const message: Message = { id: `layer:${name}`, role: 'system', parts: text === '' ? [] : [{ type: 'text', text }] }
      sized = sizeMessage(message, () => undefined, count)
      known.set(key, sized)
    }
    return sized
  }

  return (layers = {}) => {
    let tokens = 0
    const categories: { system?: number; rules?: number } = {}
    for (const [name, handle] of Object.entries(layers)) {
      const sized = sizeOf(name, handle)
      const category = sized.category === 'rules' ? 'rules' : 'system'
      categories[category] = (categories[category] ?? 0) + sized.tokens
      tokens += sized.tokens
    }
    return { tokens, categories }
  }
}
