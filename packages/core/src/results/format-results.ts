import { jsonText } from '../text/json.ts'

/** One tool's result in the specification's own shape. */
export interface ToolResultRecord {
  readonly toolCallId: string
  readonly success: boolean
  readonly output?: unknown
  readonly error?: unknown
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

/** Results as a model needs them: the outcome, saved files and duration, separated by blank lines. */
export function formatToolResultForModel(results: readonly ToolResultRecord[]): string {
  return results.map(formatResult).join('\n\n')
}

/** The user message that carries results to a model without tool messages. */
export function toolResultsMessage(results: readonly ToolResultRecord[]): { readonly role: 'user'; readonly content: string } {
  return { role: 'user', content: `Tool results:\n${formatToolResultForModel(results)}` }
}

function formatResult({ toolCallId, success, output, error, metadata }: ToolResultRecord): string {
  if (!success) return `✗ ${toolCallId}: ${textOf(error) || 'Failed'}`
  const lines = [`✓ ${toolCallId}: ${textOf(output) || 'Success'}`]
  const imagePath = textOf(metadata?.['imagePath'])
  const filePath = textOf(metadata?.['filePath'])
  const time = textOf(metadata?.['generationTimeMs'])
  if (imagePath !== '') lines.push(`  → Image saved: ${imagePath}`)
  if (filePath !== '') lines.push(`  → File: ${filePath}`)
  if (time !== '') lines.push(`  → Time: ${time}ms`)
  return lines.join('\n')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value ? jsonText(value) : ''
}
