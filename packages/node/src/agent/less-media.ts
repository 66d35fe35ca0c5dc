import type { Message } from '@plimsoll/core'
import { countImages } from '@plimsoll/core/policies'
import type { Failure } from '@plimsoll/core/wire'
import type { LearnedLimits } from './learned-limits.ts'

/**
 * What a request may have after a provider refused its bytes or its pictures: what the refusal names, else half of what was sent, and
 * no picture at all where the size of one is the trouble.
 */
export function lessMedia(failure: Failure, words: string, messages: readonly Message[]): Partial<LearnedLimits> {
  if (failure.kind === 'image_limit') {
    const images = countImages(messages)
    // Who refuses pictures where there are none teaches nothing.
    return images === 0 ? {} : { maxImages: imagesAllowed(words, images) }
  }
  const sent = Buffer.byteLength(JSON.stringify(messages))
  // Around the messages stand tools and settings.
  const named = failure.limit === null ? null : Math.floor(failure.limit * 0.9)
  return { maxBytes: named !== null && named < sent ? named : Math.max(leastBytes, Math.floor(sent / 2)) }
}

/** No server in use takes less. */
const leastBytes = 65_536

function imagesAllowed(words: string, sent: number): number {
  const told = /(?:at most|up to|maximum(?: of)?|limit(?: of|:)?|more than)\s{1,3}(\d{1,4})\s{1,3}image/i.exec(
    words.slice(0, 2000),
  )
  // More than were sent was not what it refused.
  if (told !== null && Number(told[1]) < sent) return Number(told[1])
  if (isAboutOne.test(words.slice(0, 2000))) return 0
  return Math.floor(sent / 2)
}

/** One that is too large or cannot be read, or any at all: which of them it is, nobody says. */
const isAboutOne =
  /dimension|pixel|resolution|\bMB\b|bytes|too large|size|format|decode|corrupt|valid image|process (?:the |input )?image|(?:not|only) support|support image|unknown variant/i
