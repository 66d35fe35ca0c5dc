import { createHash } from 'node:crypto'
import type { Patch } from '@plimsoll/core/wire'
import type { Fields } from '../logs/log-reader.ts'
import { findLargeImages } from './lift-images.ts'

/** A picture with so many characters of base64 makes requests fail, or each of them slow and dear. */
export const largeImage = 1_000_000

/** A picture that is taken out of an entry: its file, and what stands in its place. */
export interface TakenImage {
  /** The file's name, made of what is in it. */
  readonly file: string
  readonly bytes: () => Buffer
  readonly patch: Patch
}

/** The large pictures of a value. `folder` is the name of the folder that their files are put into. */
export function takeLargeImages(value: Fields | readonly unknown[], folder: string): readonly TakenImage[] {
  return findLargeImages(value, largeImage).map(({ mediaType, base64, replacement }) => {
    const type = /^[a-z]+\/[a-z0-9.+-]{1,40}$/i.test(mediaType) ? mediaType : 'image/*'
    const ending = /^\w+/.exec(type.slice(type.indexOf('/') + 1))?.[0] ?? 'bin'
    const file = `${createHash('sha256').update(base64).digest('hex').slice(0, 16)}.${ending}`
    const path = `${folder}/${file}`
    const size = `${((base64.length * 3) / 4 / 1e6).toFixed(1)} MB`
    return {
      file,
      bytes: () => Buffer.from(base64, 'base64'),
      patch: replacement({ words: `[${type}, ${size}, now in the file ${path}]`, file: path }),
    }
  })
}

/** Patches together with those of pictures, as far as these do not stand inside something that is changed anyway. */
export function withImagePatches(patches: readonly Patch[], images: readonly TakenImage[]): readonly Patch[] {
  const covered = (image: TakenImage) =>
    patches.some(({ op, path }) => op !== 'insert' && path.every((step, index) => image.patch.path[index] === step))
  return [...patches, ...images.filter((image) => !covered(image)).map(({ patch }) => patch)]
}
