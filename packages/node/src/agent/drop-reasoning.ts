import type { Edit, Message, Part, Policy } from '@plimsoll/core'

const name = 'drop-reasoning'
const why = 'the provider did not accept it'

/**
 * Leaves out what models thought, and the signatures that providers put on it and on calls. For a request that was refused because
 * they do not fit: they may come from another model, or stand beside what is no longer there. What was said and done stays.
 */
export const dropReasoning: Policy = {
  name,
  plan: (messages) => messages.flatMap(editOf),
}

function editOf(message: Message): readonly Edit[] {
  const known = edits.get(message)
  if (known !== undefined) return known
  const made = makeEdit(message)
  edits.set(message, made)
  return made
}

const edits = new WeakMap<Message, readonly Edit[]>()

function makeEdit(message: Message): readonly Edit[] {
  if (message.role !== 'assistant' || !message.parts.some(isSigned)) return []
  const spoken = message.parts.filter(({ type }) => type !== 'reasoning')
  // A message must not become empty; without its signature a thought is only a text.
  const parts = (spoken.length === 0 ? message.parts : spoken).map(unsigned)
  const into: Message = { ...message, parts }
  return [{ id: `${name}:${message.id}`, policy: name, kind: 'fold', first: message.id, last: message.id, into, why }]
}

function isSigned(part: Part): boolean {
  return part.type === 'reasoning' || ('providerOptions' in part && part.providerOptions !== undefined)
}

function unsigned(part: Part): Part {
  if (!('providerOptions' in part)) return part
  const { providerOptions: _, ...rest } = part
  return rest
}
