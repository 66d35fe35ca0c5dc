import { buildView, createConversation, specPolicies, trimMessages } from '../packages/core/dist/index.js'
import { factsAfter, quarter } from './conversation.mjs'
import { toOpenAi } from './dialects.mjs'
import { peers } from './peers.mjs'

/**
 * All competitors on one conversation, with its length at each round in `steps`. `create` starts a run with its own objects: once,
 * so that caches work, or again for each round if `fresh`. The first competitor is `buildView`.
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
  const createRun = fresh ? forgetful : growing
  return [...engine, ...others].map((each) => ({
    name: each.name,
    peer: each.peer === true,
    create: () => createRun(each, conversation, steps),
  }))
}

/** A copy that shares no object with the original, its strings flat as if they had just been parsed. */
export function clone(value) {
  return structuredClone(value)
}

function forgetful({ convert, start }, conversation, steps) {
  return {
    prepare: (round) => ({ run: start(), messages: convert(conversation.slice(0, steps(round))) }),
    run: ({ run, messages }) => run(messages),
  }
}

function growing({ convert, start }, conversation, steps) {
  const messages = convert(conversation)
  return { prepare: (round) => messages.slice(0, steps(round)), run: start() }
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
