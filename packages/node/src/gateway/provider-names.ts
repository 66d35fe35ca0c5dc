import type { WireDialect } from '../store/wire-dialect.ts'

/** What OpenTelemetry's conventions for generative models call who is behind a dialect, and what is asked of them. */
export const providerNames: Readonly<Record<WireDialect, { readonly provider: string; readonly operation: string }>> = {
  anthropic: { provider: 'anthropic', operation: 'chat' },
  'openai-chat': { provider: 'openai', operation: 'chat' },
  'openai-responses': { provider: 'openai', operation: 'chat' },
  gemini: { provider: 'gcp.gemini', operation: 'generate_content' },
}
