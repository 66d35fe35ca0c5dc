import type { RawMessage } from '../dialect.ts'

/** How one kind of call is written down in the Responses API. */
export interface CallItem {
  /** The field with the arguments. */
  readonly input: string
  /** The tool's name where the item gives none. */
  readonly tool: string | null
  /** The item that answers it. */
  readonly output: string
}

/** The calls that a client answers, by the type of their items. */
export const callItems: ReadonlyMap<unknown, CallItem> = new Map([
  ['function_call', { input: 'arguments', tool: null, output: 'function_call_output' }],
  ['custom_tool_call', { input: 'input', tool: null, output: 'custom_tool_call_output' }],
  ['local_shell_call', { input: 'action', tool: 'local_shell', output: 'local_shell_call_output' }],
  ['shell_call', { input: 'action', tool: 'shell', output: 'shell_call_output' }],
  ['apply_patch_call', { input: 'operation', tool: 'apply_patch', output: 'apply_patch_call_output' }],
])

/** The answers to such calls. Screenshots are not among them: they can be nothing but pictures. */
export const outputItems: ReadonlySet<unknown> = new Set([...callItems.values()].map(({ output }) => output))

/** The type of an item. The two shortest forms have none: a message, and the name of an item that is kept elsewhere. */
export function itemType(raw: RawMessage): string | null {
  const { type } = raw
  if (typeof type === 'string') return type
  if (typeof raw['role'] === 'string') return 'message'
  return typeof raw['id'] === 'string' && (type === undefined || type === null) ? 'item_reference' : null
}

/** Whether an item is something the model did: what it said, thought and asked for, and what its provider did for it. */
export function isModelItem(raw: RawMessage): boolean {
  const type = itemType(raw)
  if (type === null || settingItems.has(type)) return false
  // An answer of a kind nobody knows yet still ends what the model did.
  return type === 'message' ? raw['role'] === 'assistant' : !type.endsWith('_output') && type !== 'mcp_approval_response'
}

/** Items that speak to the provider, not to the model. */
export const settingItems: ReadonlySet<string> = new Set(['additional_tools', 'configuration_update', 'compaction_trigger'])
