import { createHash } from 'node:crypto'
import { isRecord } from '@plimsoll/core/text'
import type { Patch, Path } from '@plimsoll/core/wire'

/** An image or file stored in a value as base64. */
interface LiftedImage {
  readonly mediaType: string
  readonly base64: string
  /** The patch that replaces it with a note: text for users and models, and the path of its file. */
  readonly replacement: (note: { readonly text: string; readonly file: string }) => Patch
}

const maxDepth = 64

/**
 * Finds images and files in the formats of known vendors and agents, but not data that only the provider can read (signatures,
 * encrypted reasoning).
 */
export function findLargeImages(value: unknown, atLeast: number): readonly LiftedImage[] {
  const found: LiftedImage[] = []
  const waiting: { readonly value: unknown; readonly path: Path }[] = [{ value, path: [] }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value: here, path } = place
    const image = isRecord(here) && path.length > 0 ? imageAt(here, path, atLeast) : null
    if (image !== null) found.push(image)
    else if (path.length < maxDepth && typeof here === 'object' && here !== null) {
      const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(here)
        ? [...here.entries()]
        : Object.entries(here)
      for (const [key, inner] of entries)
        if (typeof inner === 'object' && inner !== null) waiting.push({ value: inner, path: [...path, key] })
    }
  }
  return found.reverse()
}

type Fields = Readonly<Record<string, unknown>>

function imageAt(block: Fields, path: Path, atLeast: number): LiftedImage | null {
  const known = anthropic(block, path) ?? openAi(block, path) ?? google(block, path) ?? plain(block, path) ?? shown(block, path)
  return known === null || known.base64.length < atLeast || !/^[\w+/=\s-]*$/.test(known.base64.slice(0, 1000)) ? null : known
}

/** Turns a block into a text block and keeps all fields that do not describe the image. */
function asBlock(type: string, block: Fields, path: Path, own: readonly string[]): LiftedImage['replacement'] {
  const kept = Object.fromEntries(Object.entries(block).filter(([key]) => !own.includes(key)))
  return ({ text }) => ({ op: 'set', path, value: { ...kept, type, text } })
}

function anthropic(block: Fields, path: Path): LiftedImage | null {
  const { type, source } = block
  if ((type !== 'image' && type !== 'document') || !isRecord(source) || source['type'] !== 'base64') return null
  const { media_type: mediaType, data } = source
  if (typeof data !== 'string') return null
  return {
    mediaType: textOf(mediaType),
    base64: data,
    replacement: asBlock('text', block, path, ['source', 'type', 'title', 'context', 'citations']),
  }
}

function openAi(block: Fields, path: Path): LiftedImage | null {
  const { type, image_url: image } = block
  if (type !== 'image_url' && type !== 'input_image') return null
  const url = dataUrl(isRecord(image) ? image['url'] : image)
  if (url === null) return null
  const text = type === 'image_url' ? 'text' : 'input_text'
  return { ...url, replacement: asBlock(text, block, path, ['image_url', 'type', 'detail']) }
}

function google(block: Fields, path: Path): LiftedImage | null {
  const inline = block['inlineData'] ?? block['inline_data']
  if (!isRecord(inline) || typeof inline['data'] !== 'string') return null
  const mediaType = textOf(inline['mimeType'] ?? inline['mime_type'])
  return { mediaType, base64: inline['data'], replacement: ({ text }) => ({ op: 'set', path, value: { text } }) }
}

/** Blocks with the bytes or a data URL next to their type. */
function plain(block: Fields, path: Path): LiftedImage | null {
  const { type } = block
  const mediaType = textOf(block['mediaType'] ?? block['mimeType'] ?? block['mime'] ?? block['mime_type'])
  if (type === 'blob' && typeof block['data'] === 'string') {
    const replacement: LiftedImage['replacement'] = ({ text, file }) => {
      return { op: 'set', path, value: { type: 'file', displayName: text, path: file } }
    }
    return { mediaType, base64: block['data'], replacement }
  }
  if (type !== 'image' && type !== 'file' && type !== 'media') return null
  const own = ['type', 'mediaType', 'mimeType', 'mime', 'mime_type', 'data', 'image', 'url', 'filename', 'source']
  const replacement = asBlock('text', block, path, own)
  for (const data of [block['url'], block['image'], block['data']]) {
    const url = dataUrl(data)
    if (url !== null) return { ...url, replacement }
    if (typeof data === 'string' && data !== block['url'] && !/^[a-z]+:/i.test(data.slice(0, 20)))
      return { mediaType, base64: data, replacement }
  }
  return null
}

/** Claude Code's own copy of a result, for the screen. */
function shown(block: Fields, path: Path): LiftedImage | null {
  const { base64, type } = block
  if (typeof base64 !== 'string') return null
  const replacement: LiftedImage['replacement'] = ({ text }) => ({ op: 'set', path: [...path, 'base64'], value: text })
  return { mediaType: textOf(type), base64, replacement }
}

function dataUrl(value: unknown): { readonly mediaType: string; readonly base64: string } | null {
  if (typeof value !== 'string' || !value.startsWith('data:')) return null
  const comma = value.indexOf(',')
  if (comma < 0 || comma > 200 || !value.slice(0, comma).endsWith(';base64')) return null
  return { mediaType: value.slice(5, comma).split(';')[0] ?? '', base64: value.slice(comma + 1) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** In base64 characters. Larger images make requests fail, or slow and expensive. */
export const largeImage = 1_000_000

/** An image that is moved to a file, and the patch that replaces it. */
export interface TakenImage {
  readonly file: string
  readonly bytes: () => Buffer
  readonly patch: Patch
}

/** The large images in a value. `folder` is the name of the folder for their files. */
export function takeLargeImages(
  value: Readonly<Record<string, unknown>> | readonly unknown[],
  folder: string,
): readonly TakenImage[] {
  return findLargeImages(value, largeImage).map(({ mediaType, base64, replacement }) => {
    const type = /^[a-z]+\/[a-z0-9.+-]{1,40}$/i.test(mediaType) ? mediaType : 'image/*'
    const ending = /^\w+/.exec(type.slice(type.indexOf('/') + 1))?.[0] ?? 'bin'
    const file = `${createHash('sha256').update(base64).digest('hex').slice(0, 16)}.${ending}`
    const path = `${folder}/${file}`
    const size = `${((base64.length * 3) / 4 / 1e6).toFixed(1)} MB`
    return {
      file,
      bytes: () => Buffer.from(base64, 'base64'),
      patch: replacement({ text: `[${type}, ${size}, now in the file ${path}]`, file: path }),
    }
  })
}

/** Adds the patches of images, except for images inside a value that is already changed. */
export function withImagePatches(patches: readonly Patch[], images: readonly TakenImage[]): readonly Patch[] {
  const covered = (image: TakenImage) =>
    patches.some(({ op, path }) => op !== 'insert' && path.every((step, index) => image.patch.path[index] === step))
  return [...patches, ...images.filter((image) => !covered(image)).map(({ patch }) => patch)]
}
