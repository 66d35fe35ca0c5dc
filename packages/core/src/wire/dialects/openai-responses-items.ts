import type { MediaPart, Part, ResultContent, TextPart, ToolResultPart } from '../../message.ts'
import { isRecord, resultText } from '../../message.ts'
import { dataUrlType, readPlainBlock } from '../blocks.ts'
import type { RawMessage } from '../dialect.ts'
import { readResultContent, rewriteResultContent, saysFailed, withFramedText, writeResultContent } from '../result-content.ts'

/** Calls that a client answers: the field with the arguments, the tool if the item names none, and the type of the result. */
export const callItems = new Map<unknown, { readonly input: string; readonly tool: string | null; readonly output: string }>([
  ['function_call', { input: 'arguments', tool: null, output: 'function_call_output' }],
  ['custom_tool_call', { input: 'input', tool: null, output: 'custom_tool_call_output' }],
  ['local_shell_call', { input: 'action', tool: 'local_shell', output: 'local_shell_call_output' }],
  ['shell_call', { input: 'action', tool: 'shell', output: 'shell_call_output' }],
  ['apply_patch_call', { input: 'operation', tool: 'apply_patch', output: 'apply_patch_call_output' }],
])

/** Results of such calls, without screenshots, which can only be images. */
export const outputItems: ReadonlySet<unknown> = new Set([...callItems.values()].map(({ output }) => output))

/** The type of an item. A message and an item reference may omit it. */
export function itemType(raw: RawMessage): string | null {
  const { type } = raw
  if (typeof type === 'string') return type
  if (typeof raw['role'] === 'string') return 'message'
  return typeof raw['id'] === 'string' && (type === undefined || type === null) ? 'item_reference' : null
}

/** Whether an item is the model's or was added by the provider while it worked. */
export function isModelItem(raw: RawMessage): boolean {
  const type = itemType(raw)
  if (type === null || settingItems.has(type)) return false
  // An unknown kind of result still ends what the model did.
  return type === 'message' ? raw['role'] === 'assistant' : !type.endsWith('_output') && type !== 'mcp_approval_response'
}

/** Items for the provider, not for the model. */
export const settingItems: ReadonlySet<string> = new Set(['additional_tools', 'configuration_update', 'compaction_trigger'])

export function readOutput(item: RawMessage): ResultContent {
  const { output } = item
  if (item['type'] !== 'shell_call_output' || !isShellOutput(output)) return readResultContent(output, readBlock)
  const items = textsIn(output).map((text): TextPart => ({ type: 'text', text }))
  return items.length === 0 ? { type: 'text', text: '' } : { type: 'list', items }
}

/** The output of a shell item per stream, next to the joined text. */
export function readStreams({ type, output }: RawMessage): Pick<ToolResultPart, 'metadata'> {
  if (type !== 'shell_call_output' || !isShellOutput(output)) return {}
  const stdout = output.map((chunk) => chunk.stdout).join('')
  return { metadata: { stdout, stderrTail: output.map((chunk) => chunk.stderr).join('') } }
}

export function isFailed({ type, status, output }: RawMessage): boolean {
  if (type === 'apply_patch_call_output') return status === 'failed'
  return type === 'shell_call_output' ? isShellOutput(output) && output.some(hasFailed) : saysFailed(output)
}

export function rewriteOutput(item: RawMessage, before: ToolResultPart, after: ToolResultPart): unknown {
  const { type, output } = item
  if (type === 'shell_call_output') return rewriteShell(isShellOutput(output) ? output : [], before.content, after)
  if (isTextOnly(type)) return typeof output === 'string' ? withFramedText(output, resultText(after)) : resultText(after)
  return rewriteResultContent(output, before.content, after.content, writeInput)
}

export function writeOutput(type: string, part: ToolResultPart): unknown {
  if (type === 'shell_call_output') return [chunkOf(resultText(part))]
  if (isTextOnly(type)) return resultText(part)
  return writeResultContent(part.content, writeInput)
}

export function readBlock(block: unknown): TextPart | MediaPart {
  return readPlainBlock(block, textTypes, ({ type, image_url, file_data }) => {
    if (type === 'input_image') return dataUrlType(image_url) ?? 'image/*'
    return type === 'input_file' ? dataUrlType(file_data) : undefined
  })
}

export function writeInput(part: Part): unknown {
  if (part.type === 'media') return part.data
  return { type: 'input_text', text: part.type === 'text' || part.type === 'reasoning' ? part.text : '' }
}

const textTypes = new Set<unknown>(['input_text', 'output_text', 'text', 'summary_text'])

function isTextOnly(type: unknown): boolean {
  return type === 'local_shell_call_output' || type === 'apply_patch_call_output'
}

interface Chunk extends RawMessage {
  readonly stdout: string
  readonly stderr: string
}

function isShellOutput(output: unknown): output is readonly Chunk[] {
  return (
    Array.isArray(output) &&
    output.every((chunk) => isRecord(chunk) && typeof chunk['stdout'] === 'string' && typeof chunk['stderr'] === 'string')
  )
}

function hasFailed({ outcome }: Chunk): boolean {
  if (!isRecord(outcome)) return false
  return outcome['type'] === 'timeout' || (outcome['type'] === 'exit' && outcome['exit_code'] !== 0)
}

function rewriteShell(output: readonly Chunk[], before: ResultContent, after: ToolResultPart): readonly unknown[] {
  const [first, ...others] = output
  if (first === undefined) return [chunkOf(resultText(after))]
  const texts = textsOf(before, after)
  if (textsIn(output).length === 0) return [{ ...first, stdout: texts[0] ?? '' }, ...others]
  let used = 0
  const next = (was: string) => (was === '' ? '' : (texts[used++] ?? ''))
  return output.map((chunk) => ({ ...chunk, stdout: next(chunk.stdout), stderr: next(chunk.stderr) }))
}

function textsIn(output: readonly Chunk[]): readonly string[] {
  return output.flatMap(({ stdout, stderr }) => [stdout, stderr]).filter((text) => text !== '')
}

function textsOf(before: ResultContent, after: ToolResultPart): readonly string[] {
  const { content } = after
  if (content.type !== 'list' || before.type !== 'list' || content.items.length !== before.items.length)
    return [resultText(after)]
  return content.items.map((item) => (item.type === 'text' ? item.text : ''))
}

function chunkOf(stdout: string): unknown {
  return { stdout, stderr: '', outcome: { type: 'exit', exit_code: 0 } }
}
