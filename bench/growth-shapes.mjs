import { texts } from './prose.mjs'
import { createRandom } from './random.mjs'

/**
 * Conversations that grow in one direction only. `n` is the smaller size, in whatever the shape counts, chosen so that both sets
 * take a millisecond or more. `create` makes a conversation of a size; a call and its result can be added to it.
 */
export const shapes = [
  {
    name: 'many users',
    n: 400,
    create: (size) => rounds(size, (draft, index) => draft.say(sentences(index, 300))),
  },
  {
    name: 'many files',
    n: 120,
    create: (size) =>
      work(size, (draft, index) => draft.call('Read', { file_path: `/p/src/file-${index}.ts` }, code(index, 1500))),
  },
  {
    name: 'the same file read',
    n: 120,
    create: (size) => {
      const lines = code(1, 2000).split('\n')
      return work(size, (draft, index) => {
        const changed = lines.with(index % lines.length, `     1→ changed ${index}`)
        draft.call('Read', { file_path: '/p/src/main.ts' }, changed.join('\n'))
      })
    },
  },
  {
    name: 'the same command',
    n: 120,
    create: (size) =>
      work(size, (draft, index) => draft.call('Bash', { command: 'npm test' }, index % 9 === 0 ? failure : log(3, 1500))),
  },
  {
    name: 'duplicate call ids',
    n: 120,
    create: (size) =>
      work(size, (draft, index) => draft.call('Bash', { command: `step ${index % 5}` }, log(index, 900), `call_${index % 2}`)),
  },
  {
    name: 'one message with 100,000 parts',
    n: 6250,
    create(size) {
      const draft = createDraft()
      const parts = Array.from({ length: size }, (_, index) => ({ type: 'text', text: `paragraph ${index}` }))
      draft.add('user', parts)
      draft.call('Bash', { command: 'ls' }, log(1, 500))
      draft.add(
        'assistant',
        parts.map((part, index) => (index % 2 === 0 ? part : { type: 'reasoning', text: `thought ${index}` })),
      )
      draft.say('go on')
      return draft.messages
    },
  },
  {
    name: 'a result of 50 MB',
    n: 3_125_000,
    create(size) {
      const draft = createDraft()
      draft.call('Bash', { command: 'make' }, repeated(log(1, 40_000), size))
      for (let step = 0; step < 12; step += 1) draft.call('Bash', { command: `ls ${step}` }, log(step, 500))
      return draft.messages
    },
  },
  {
    name: 'a line of 50 MB',
    n: 3_125_000,
    create(size) {
      const draft = createDraft()
      draft.call('fetch', { url: 'https://example.org' }, repeated(`${texts.base64(createRandom(5), 999)},`, size))
      for (let step = 0; step < 12; step += 1) draft.call('Bash', { command: `ls ${step}` }, log(step, 500))
      return draft.messages
    },
  },
  {
    name: 'a line of JSON of 50 MB with errors',
    n: 3_125_000,
    create(size) {
      const draft = createDraft()
      const records = Array.from({ length: 1000 }, (_, id) =>
        JSON.stringify({ id, message: id % 3 === 0 ? `Error: ${id} broke` : 'fine' }),
      )
      draft.call('fetch', { url: 'https://example.org' }, `[${repeated(`${records.join(',')},`, size)}`)
      for (let step = 0; step < 12; step += 1) draft.call('Bash', { command: `ls ${step}` }, log(step, 500))
      return draft.messages
    },
  },
  {
    name: 'many tiny messages',
    n: 1000,
    create: (size) => rounds(size, (draft, index) => draft.call('Bash', { command: `true ${index}` }, 'ok')),
  },
  {
    name: 'deep JSON results',
    n: 90,
    create: (size) => {
      const padding = log(1, 1000)
      return work(10, (draft, index) => {
        let value = { index, text: log(index, 100) }
        for (let depth = 0; depth < size; depth += 1) value = depth % 2 === 0 ? { inner: value, padding } : [value, depth]
        draft.call(
          index % 2 === 0 ? 'fetch' : 'Bash',
          { command: `get ${index}` },
          index % 3 === 0 ? JSON.stringify(value) : value,
        )
      })
    },
  },
  {
    name: 'many calls in one message',
    n: 300,
    create(size) {
      const draft = createDraft()
      draft.calls(
        Array.from({ length: size }, (_, index) => ['Read', { file_path: `/p/${index % 40}.ts` }, code(index % 60, 600)]),
      )
      for (let step = 0; step < 12; step += 1) draft.call('Bash', { command: `ls ${step}` }, log(step, 500))
      return draft.messages
    },
  },
  {
    name: 'calls without results',
    n: 400,
    create: (size) =>
      work(size, (draft, index) => {
        if (index % 3 === 0) draft.call('Bash', { command: `ls ${index}` }, log(index, 400), `call_${index}`)
        else draft.ask('Bash', { command: `sleep ${index}` })
      }),
  },
  {
    name: 'images',
    n: 250,
    create: (size) => {
      const picture = texts.base64(createRandom(3), 12_000)
      return work(size, (draft, index) => {
        if (index % 2 === 0) draft.call('screenshot', {}, JSON.stringify({ success: true, imageBase64: picture }))
        else draft.show('screenshot', { type: 'media', mediaType: 'image/png', data: picture })
      })
    },
  },
  {
    name: 'edits and reads in turn',
    n: 120,
    create: (size) =>
      work(size, (draft, index) => {
        const file_path = `/p/src/file-${index % 7}.ts`
        if (index % 2 === 0) draft.call('Read', { file_path }, code(index % 20, 1500))
        else
          draft.call(
            'Edit',
            { file_path, old_string: code(index, 700), new_string: code(index + 1, 700) },
            `${file_path} was updated`,
          )
      }),
  },
  {
    name: 'results without calls',
    n: 300,
    create: (size) => work(size, (draft, index) => draft.answer(`lost_${index % 100}`, log(index, 600))),
  },
]

/** A conversation with one more call and its result at its end. */
export function oneMore(messages) {
  const draft = createDraft(messages)
  draft.call('Bash', { command: 'git status' }, log(messages.length, 800))
  return draft.messages
}

function work(size, step) {
  const draft = createDraft()
  for (let index = 0; index < size; index += 1) {
    if (index % 8 === 0) draft.say(sentences(index, 120))
    step(draft, index)
  }
  return draft.messages
}

function rounds(size, step) {
  const draft = createDraft()
  for (let index = 0; index < size; index += 1) {
    draft.say(`question ${index}`)
    step(draft, index)
    draft.add('assistant', [text(sentences(index + 1, 80))])
  }
  return draft.messages
}

function createDraft(given = []) {
  const messages = [...given]
  const add = (role, parts) => messages.push({ id: `m${messages.length}`, role, parts, at: start + messages.length * 5000 })
  const answer = (callId, result, tool = null) => add('tool', [{ type: 'tool-result', callId, tool, content: contentOf(result) }])
  const ask = (tool, input, callId = `call_${messages.length}`) => {
    add('assistant', [{ type: 'tool-call', callId, tool, input: JSON.stringify(input) }])
    return callId
  }
  return {
    messages,
    add,
    ask,
    answer,
    say: (words) => add('user', [text(words)]),
    call: (tool, input, result, callId) => answer(ask(tool, input, callId), result, tool),
    show(tool, item) {
      const callId = ask(tool, {})
      add('tool', [{ type: 'tool-result', callId, tool, content: { type: 'list', items: [text('shown'), item] } }])
    },
    calls(list) {
      const ids = list.map((_, index) => `call_${messages.length}_${index}`)
      const asked = list.map(([tool, input], index) => ({ type: 'tool-call', callId: ids[index], tool, input }))
      add('assistant', asked)
      const answered = list.map(([tool, , result], index) => ({
        type: 'tool-result',
        callId: ids[index],
        tool,
        content: contentOf(result),
      }))
      add('tool', answered)
    },
  }
}

const start = 1_750_000_000_000

function contentOf(result) {
  return typeof result === 'string' ? { type: 'text', text: result } : { type: 'json', value: result }
}

function text(words) {
  return { type: 'text', text: words }
}

const failure = `Exit code 1\n${log(2, 600)}\nError: expected 41 to equal 42\n    at src/ledger.ts:118:9`

function sentences(seed, length) {
  return texts.sentences(createRandom(seed), length)
}

function code(seed, length) {
  return texts.code(createRandom(seed), length)
}

function log(seed, length) {
  return texts.log(createRandom(seed), length)
}

function repeated(piece, length) {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}
