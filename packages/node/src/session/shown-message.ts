import { type Message, type Part, resultText } from '@plimsoll/core'
import type { Entry, MovedValue } from '@plimsoll/core/session'
import { inputText, withContent } from '@plimsoll/core/text'
import type { MediaPart, ResultContent } from '@plimsoll/core/wire'
import type { ShownMedia } from '../shared/inspection/inspection.ts'
import { saidText } from '../shared/mentions.ts'
import { moveOut, withParts } from './moved-values.ts'

/** A stored message for a page: images in blobs are named by their sha256, smaller ones are data URLs, and others are removed. */
export function shownMessage(message: Message): Message {
  return withImages(message, shownImage)
}

/** A message that has no blobs, as in another agent's log, with all images as data URLs. */
export function inlinedMessage(message: Message): Message {
  return withImages(message, inlinedImage)
}

/** The content of a result that is not stored yet, with its images as data URLs. */
export function shownContent(content: ResultContent): ResultContent {
  return withContent({ content }, { media: inlinedImage }).content
}

function withImages(message: Message, change: (part: MediaPart) => MediaPart): Message {
  return withParts(message, (part) => {
    if (part.type === 'media') return change(part)
    return part.type === 'tool-result' ? withContent(part, { media: change }) : part
  })
}

// Parts never change, and hashing an image is slow.
const shown = new WeakMap<MediaPart, MediaPart>()

function shownImage(part: MediaPart): MediaPart {
  const image = shown.get(part) ?? { ...part, data: keptMedia(part) ?? inlineMedia(part) }
  shown.set(part, image)
  return image
}

function inlinedImage(part: MediaPart): MediaPart {
  return { ...part, data: inlineMedia(part) }
}

/** The blob of an image, by the same rule by which it was moved out. */
function keptMedia(part: MediaPart): ShownMedia | null {
  const message: Message = { id: '', role: 'user', parts: [part] }
  const entry: Entry = { type: 'message', id: '', parentId: null, at: 0, message }
  const moved = moveOut(entry).moved.filter(({ form }) => form !== 'text')
  const largest = moved.reduce<MovedValue | null>((most, one) => (most === null || one.bytes > most.bytes ? one : most), null)
  return largest === null ? null : { blob: { sha256: largest.sha256, bytes: largest.bytes } }
}

const maxDepth = 20

function inlineMedia({ mediaType, data }: MediaPart): ShownMedia {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: data, depth: 0 }]
  let found = ''
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, depth } = place
    const bytes = value instanceof Uint8Array ? `data:${mediaType};base64,${Buffer.from(value).toString('base64')}` : ''
    const url = typeof value === 'string' ? urlOf(value, mediaType) : bytes
    if (url.length > found.length) found = url
    if (url !== '' || typeof value !== 'object' || value === null || value instanceof Uint8Array || depth >= maxDepth) continue
    for (const child of Object.values(value)) waiting.push({ value: child, depth: depth + 1 })
  }
  return found === '' ? { none: true } : { url: found }
}

/** Shorter ones are names and types. */
const minBase64 = 40

function urlOf(text: string, mediaType: string): string {
  if (/^data:[^,]{0,200};base64,/i.test(text)) return text
  return text.length >= minBase64 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? `data:${mediaType};base64,${text}` : ''
}

/** The user's first words as a title, or null. */
export function titleOf(messages: readonly Message[]): string | null {
  for (const message of messages) {
    if (message.role !== 'user') continue
    for (const part of message.parts) {
      const title = titleText(saidText({ ...message, parts: [part] }))
      if (title !== '') return title
    }
  }
  return null
}

/** The beginning of a text as one short line without control characters. */
export function titleText(text: string): string {
  const line = text
    .slice(0, 2000)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const points = [...line]
  return points.length > maxTitle ? `${points.slice(0, maxTitle - 1).join('')}…` : line
}

const maxTitle = 80

/** The text of a part. An image has none. */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return inputText(part)
    case 'tool-result':
      return resultText(part)
    case 'media':
      return ''
  }
}
