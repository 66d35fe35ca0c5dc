import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldSegment, planCompaction, roundsOf, writeSummary } from '../packages/core/dist/compaction.js'
import { applyEdits, callInput, recall, toolResults } from '../packages/core/dist/index.js'
import { completeConfig } from '../packages/core/dist/policies.js'
import { countMessages, estimator } from '../packages/core/dist/text.js'
import { compactSession } from '../packages/node/dist/agent/compaction/compact-session.js'
import { createSession } from '../packages/node/dist/session/create-session.js'
import { recallSourceOf } from '../packages/node/dist/session/recall-source.js'
import { longConversations } from '../test/long-conversations.ts'
import { clone } from './competitors.mjs'
import { createConversation, factsAfter, tokensPerMessage } from './conversation.mjs'
import { takeTurns } from './sampling.mjs'

const size = 1000

/** The time to compact a long conversation without a model, and what is left after ten compactions in a row. */
export async function compactionBench() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
  try {
    return [...(await speedRows()), ...(await keptRows(folder))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Planning, writing, checking and measuring, tokens estimated; every object is new to the library. */
async function speedRows() {
  const conversation = createConversation({ messages: size, tokens: size * tokensPerMessage })
  const facts = factsAfter(conversation, estimator)
  const compact = (messages) => {
    const segment = planCompaction(messages, { keepRounds: completeConfig({}).compaction.keep_rounds })
    const fold = segment === null ? null : foldSegment(segment, writeSummary(segment, facts), facts)
    if (fold === null) throw new Error('bench: expected a conversation that can be compacted')
    return countMessages(applyEdits(messages, [fold]), estimator)
  }
  const [time] = await takeTurns([{ prepare: () => clone(conversation), run: compact }], { rounds: 25, warmUp: 10 })
  return [
    { name: 'tokens before, estimated', value: countMessages(conversation, estimator), unit: 'tokens' },
    { name: 'tokens after, estimated', value: compact(conversation), unit: 'tokens' },
    { name: 'compaction without a model, cold; median', value: time.p50, unit: 'ms', spread: time.spread, bound: '< 100 ms' },
  ]
}

async function keptRows(folder) {
  const sums = { instructions: 0, keptInstructions: 0, files: 0, keptFiles: 0, compactions: 0, smaller: 0 }
  const conversations = await longConversations()
  for (const { messages } of conversations) {
    const counts = await compactTenTimes(folder, messages)
    for (const key of Object.keys(sums)) sums[key] += counts[key]
  }
  const from = `${conversations.length} long ${conversations.length === 1 ? 'conversation' : 'conversations'}`
  const share = (kept, all) => ({ value: (kept / all) * 100, unit: '%', bound: '>= 100' })
  return [
    { name: `compactions, ten in a row of ${from}`, value: sums.compactions, unit: 'compactions' },
    { name: 'of them, those that made the context smaller', ...share(sums.smaller, sums.compactions) },
    { name: `kept of ${sums.instructions} user instructions`, ...share(sums.keptInstructions, sums.instructions) },
    { name: `kept of ${sums.files} changed files`, ...share(sums.keptFiles, sums.files) },
  ]
}

/** A conversation that grows by a tenth and is compacted, ten times, keeping only the last round. */
async function compactTenTimes(folder, messages) {
  const session = await createSession(folder)
  const config = completeConfig({})
  let compactions = 0
  let smaller = 0
  for (const tenth of inTenths(messages)) {
    await session.append(tenth.map((message) => ({ type: 'message', message })))
    const before = countMessages(session.state().messages, estimator)
    const options = { config, writer: null, emit: () => undefined, keepRounds: 1, force: true }
    const { kind } = await compactSession(session, options)
    const after = countMessages(session.state().messages, estimator)
    if (kind === 'compacted') compactions += 1
    else if (after !== before) throw new Error('bench: expected a conversation that was not compacted to stay as it is')
    if (kind === 'compacted' && after < before) smaller += 1
  }
  const shown = session.state().messages
  const there = unquoted([...shown.map(textOf), ...servedTo(shown, session)].join('\n'))
  const instructions = messages.filter(({ role, summary }) => role === 'user' && summary !== true).flatMap(textsOf)
  const files = changedFiles(messages)
  const written = JSON.stringify(shown)
  await session.close()
  return {
    compactions,
    smaller,
    instructions: instructions.length,
    keptInstructions: instructions.filter((text) => there.includes(unquoted(text))).length,
    files: files.length,
    // Escaped like the text around it.
    keptFiles: files.filter((path) => written.includes(JSON.stringify(path).slice(1, -1))).length,
  }
}

function inTenths(messages) {
  const rounds = roundsOf(messages)
  const starts = Array.from({ length: 10 }, (_, tenth) =>
    tenth === 0 ? 0 : (rounds[Math.floor((rounds.length * tenth) / 10)]?.first ?? 0),
  )
  return starts
    .map((start, index) => messages.slice(start, starts[index + 1] ?? messages.length))
    .filter(({ length }) => length > 0)
}

/** The content recalled by the handles in the summaries, which name older instructions. */
function servedTo(messages, session) {
  const source = recallSourceOf(session)
  const handles = messages.flatMap((message) =>
    [...textOf(message).matchAll(/recall ([0-9a-f]{12})/g)].map(([, handle]) => handle),
  )
  return [...new Set(handles)].map((handle) => {
    const answer = recall({ handle }, source)
    return answer.kind === 'found' ? answer.text : ''
  })
}

/** The paths of successful edits and writes, found without the measured code. */
function changedFiles(messages) {
  const paths = toolResults(messages, {}).flatMap(({ kind, isError, call }) => {
    const input = call === null ? null : callInput(call)
    const path = input?.file_path ?? input?.path ?? input?.filePath
    return (kind === 'edit' || kind === 'write') && !isError && typeof path === 'string' ? [path] : []
  })
  return [...new Set(paths)]
}

function textOf(message) {
  return textsOf(message).join('\n')
}

function textsOf({ parts }) {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Removes quote marks at the start of lines, to compare only the text. */
function unquoted(text) {
  return text.replaceAll(/^[> \t]+/gm, '').trim()
}
