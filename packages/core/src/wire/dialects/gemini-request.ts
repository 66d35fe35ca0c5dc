import { isRecord } from '../../message.ts'
import { findList, type Layout, type Request } from '../request.ts'
import { heldIn } from './gemini-fields.ts'

/** How Gemini's requests are laid out: `contents` whose blocks are `parts`. To count tokens, the request may stand within another. */
export const geminiLayout: Layout = {
  list: 'contents',
  blocks: 'parts',
  many: 'contents',
  one: 'a content object',
  find,
}

/** Whether a value has the marks of Gemini's contents. */
export function isGemini(value: unknown): boolean {
  if (isRecord(value) && Array.isArray(value['messages'])) return false
  return find(value)?.list.some(isContent) ?? false
}

function find(value: unknown): Request | null {
  const request = findList(value, 'contents')
  if (request !== null || !isRecord(value)) return request
  for (const field of ['generateContentRequest', 'generate_content_request', 'request']) {
    const inner = value[field]
    const found = isRecord(inner) ? findList(inner, 'contents') : null
    if (found !== null) return { ...found, path: [field, ...found.path] }
  }
  return null
}

/** Blocks with a type, and messages with a content, are another vendor's. */
function isContent(raw: unknown): boolean {
  if (!isRecord(raw) || 'content' in raw || !Array.isArray(raw['parts'])) return false
  if (raw['role'] !== undefined && !geminiRoles.includes(raw['role'] as string)) return false
  return (raw['parts'] as readonly unknown[]).some((part) => isRecord(part) && !('type' in part) && heldIn(part) !== null)
}

/** Whose words contents hold; without a role they are the user's. */
export const geminiRoles: readonly string[] = ['user', 'model', 'function']
