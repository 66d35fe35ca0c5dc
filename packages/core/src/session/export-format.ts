import type { DialectName } from '../wire/write-request.ts'

/** How a session can be written down: as a request of a dialect, as text, or as the whole log. */
export type ExportFormat = DialectName | 'react' | 'markdown' | 'log'

/** The names of all formats, the default first. */
export const exportFormats: readonly ExportFormat[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'react',
  'markdown',
  'log',
]
