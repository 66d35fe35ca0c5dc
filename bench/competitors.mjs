import { buildView, createConversation, specPolicies, trimMessages } from '../packages/core/dist/index.js'
import { factsAfter, quarter } from './conversation.mjs'
import { toOpenAi } from './dialects.mjs'
import { peers } from './peers.mjs'

/**
 * Everyone on one conversation that grows: `steps` holds the lengths it has at each round. Every competitor gets objects of its own,
 * made anew each round when `fresh`, so that nothing can be remembered, else once.
 */
export function competitors(conversation, steps, { fresh }) {
  const engine = [
    {
      name: 'buildView',
      convert: clone,
      start: () => (messages) => buildView({ messages, policies: specPolicies, facts: facts(messages) }),
    },
    { name: 'createConversation, next and accepted', convert: clone, start: startConversation },
    {
      name: 'trimMessages on OpenAI messages, tokens estimated',
      convert: (messages) => clone(toOpenAi(messages)),
      start: () => (messages) => trimMessages(messages, { now: messages.at(-1).timestamp + 2000, root: '/home/dev/project' }),
    },
  ]
  const others = peers.map(({ name, convert, run }) => ({
    name,
    peer: true,
    convert: (messages) => convert(clone(messages)),
    start: () => run,
  }))
  return [...engine, ...others].map((each) => (fresh ? forgetful(each, conversation, steps) : growing(each, conversation, steps)))
}

/** A copy that shares no object with the original, its strings flat as if they had just been parsed. */
export function clone(value) {
  return structuredClone(value)
}

function forgetful({ name, peer = false, convert, start }, conversation, steps) {
  return {
    name,
    peer,
    prepare: (round) => ({ run: start(), messages: convert(conversation.slice(0, steps(round))) }),
    run: ({ run, messages }) => run(messages),
  }
}

function growing({ name, peer = false, convert, start }, conversation, steps) {
  const messages = convert(conversation)
  const run = start()
  return { name, peer, prepare: (round) => messages.slice(0, steps(round)), run }
}

function startConversation() {
  const conversation = createConversation({ policies: specPolicies })
  return (messages) => {
    const view = conversation.next(messages, facts(messages))
    conversation.accepted()
    return view
  }
}

function facts(messages) {
  return factsAfter(messages, quarter)
}
