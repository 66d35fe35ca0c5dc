import type { Ask } from '../../model/ask-once.ts'
import { within } from '../within.ts'

/**
 * A fuller description of a picture, written by a model; null where it fails, takes longer than `milliseconds` or says nothing, and
 * the description is used as it is. Rejects only with the signal's reason.
 */
export async function expandPrompt(
  description: string,
  ask: Ask,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<string | null> {
  try {
    const answer = (await within(milliseconds, signal, (either) => ask(`${question}\n\n${description}`, either))).trim()
    const bare = /^(["'“])([\s\S]*)(["'”])$/.exec(answer)?.[2] ?? answer
    return bare.trim() === '' ? null : bare.trim().slice(0, longest).toWellFormed()
  } catch {
    signal.throwIfAborted()
    return null
  }
}

const question = [
  'Expand this description of a picture into a prompt for a model that makes pictures.',
  'Keep everything it asks for, and every text it wants to be seen, word for word.',
  'Add subject, composition, light, colours and style where it leaves them open.',
  'Write in the language of the description, in at most 200 words, and answer with the prompt alone.',
].join(' ')

/** Services refuse longer ones. */
const longest = 4000
