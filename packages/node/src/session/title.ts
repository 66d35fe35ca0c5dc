import { type Message, saidText } from '@plimsoll/core'

/** The first thing a person said, as a title; null when nobody said anything. */
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

/** The beginning of a text as a title: one short line without what would act on a terminal. */
export function titleText(text: string): string {
  // However long the text is, a title is made of its beginning.
  const line = text
    .slice(0, 2000)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const points = [...line]
  return points.length > longestTitle ? `${points.slice(0, longestTitle - 1).join('')}…` : line
}

const longestTitle = 80
