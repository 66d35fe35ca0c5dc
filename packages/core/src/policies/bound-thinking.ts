import type { Message, Part } from '../message.ts'

/**
 * Whether the provider would refuse a request in which something before a thought is no longer what it was when the model thought it.
 * Newer models of Anthropic sign their thoughts together with everything before them; what was sent to them must stay as it was for as
 * long as such a thought stands behind it.
 */
export function bindsThinking(model: string | null, messages: readonly Message[]): boolean {
  return model !== null && signsWhatStandsBefore(model) && hasThoughts(messages)
}

/** Whether the model's reasoning is part of the conversation. */
export function hasThoughts(messages: readonly Message[]): boolean {
  return messages.some(hasThought)
}

function hasThought({ role, parts }: Message): boolean {
  return role === 'assistant' && parts.some(isThought)
}

/** By the version in its name. One that nobody knows yet is more likely to do as its newest relatives. */
function signsWhatStandsBefore(model: string): boolean {
  const name = model.slice(0, 200).toLowerCase()
  if (!name.includes('claude')) return false
  // Older names put the version first: `claude-3-7-sonnet`.
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/.exec(name) ?? []
  return major === undefined || Number(major) + Number(minor ?? 0) / 100 > 5
}

/** Whether a part is something that the model thought, in words or sealed by its provider. */
export function isThought(part: Part): boolean {
  return part.type === 'reasoning' || (part.type === 'media' && part.mediaType === 'vendor/redacted_thinking')
}
