/** The request formats that a gateway relays; each goes to the upstream of its own. */
export type WireDialect = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'

/** Every dialect of the wire. */
export const wireDialects: readonly WireDialect[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']
