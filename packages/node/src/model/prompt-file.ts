import { isRecord } from '@plimsoll/core'

/** A picture or file in somebody's message, in the one form that models take; other blocks stay as they are. */
export function promptFile(block: unknown): unknown {
  if (!isRecord(block) || (block['type'] !== 'file' && block['type'] !== 'image')) return block
  const data = dataOf(block['type'] === 'image' ? block['image'] : block['data'])
  const mediaType = typeof block['mediaType'] === 'string' ? block['mediaType'] : 'image'
  if (data === null) return { type: 'text', text: `[${mediaType}]` }
  return { ...fieldsOf(block), type: 'file', mediaType, data }
}

/** The same in the answer of a tool, where pictures and files have more names. */
export function promptFileInResult(block: unknown): unknown {
  if (!isRecord(block) || typeof block['type'] !== 'string') return { type: 'text', text: '' }
  const { type } = block
  if (type === 'text' || type === 'custom') return block
  if (type === 'file') return promptFile(block)
  const mediaType = typeof block['mediaType'] === 'string' ? block['mediaType'] : type.startsWith('image') ? 'image' : type
  const data = dataOf(type.endsWith('-url') ? urlOf(block['url']) : type.endsWith('-data') ? block['data'] : null)
  return data === null ? { type: 'text', text: `[${mediaType}]` } : { ...fieldsOf(block), type: 'file', mediaType, data }
}

function fieldsOf({ filename, providerOptions }: Readonly<Record<string, unknown>>) {
  return {
    ...(typeof filename === 'string' ? { filename } : {}),
    ...(isRecord(providerOptions) ? { providerOptions } : {}),
  }
}

/** Bytes, base64, an address or what already says which of them it is; null for anything else. */
function dataOf(data: unknown): unknown {
  if (data instanceof URL) return { type: 'url', url: data }
  const bytes = bytesOf(data)
  if (bytes !== null || !isRecord(data)) return bytes
  const { type } = data
  if (type === 'data') return bytesOf(data['data'])
  if (type === 'url') return urlOf(data['url'])
  return (type === 'text' && typeof data['text'] === 'string') || (type === 'reference' && isRecord(data['reference']))
    ? data
    : null
}

function bytesOf(data: unknown): unknown {
  if (data instanceof Uint8Array) return { type: 'data', data }
  if (data instanceof ArrayBuffer) return { type: 'data', data: new Uint8Array(data) }
  return typeof data === 'string' ? textData(data) : null
}

function textData(data: string): unknown {
  const inline = /^data:[^,]{0,200};base64,/i.exec(data.slice(0, 300))
  if (inline !== null) return { type: 'data', data: data.slice(inline[0].length) }
  return /^https?:\/\//i.test(data) ? urlOf(data) : { type: 'data', data }
}

function urlOf(url: unknown): unknown {
  if (url instanceof URL) return { type: 'url', url }
  if (isRecord(url) && url['type'] === 'url') return url
  if (typeof url !== 'string') return null
  if (/^data:/i.test(url.slice(0, 5))) return textData(url)
  const parsed = URL.parse(url)
  return parsed === null ? null : { type: 'url', url: parsed }
}
