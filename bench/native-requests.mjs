import { createRandom } from './random.mjs'

/**
 * Requests in OpenAI's chat format with long tool output of the usual kinds, each with the texts in it that a model must still see to go
 * on: which test failed and why, where the compiler stopped, where a name is defined. No command runs twice, so
 * no output is outdated. The same count always gives the same requests.
 */
export function createRequests(count) {
  return Array.from({ length: count }, (_, index) => createRequest(createRandom(100 + index)))
}

const outputsInRequest = 10

function createRequest(random) {
  const outputs = Array.from({ length: outputsInRequest }, (_, index) => {
    const kind = kinds[index % kinds.length]
    return { kind, callId: `call_${index}`, ...makers[kind](random, index) }
  })
  const messages = [
    { role: 'system', content: 'You are a coding agent. Use the tools, then answer.' },
    { role: 'user', content: 'The checks are red since yesterday. Find out why and fix it.' },
    ...outputs.flatMap(({ callId, command, text }) => [
      { role: 'assistant', content: '', tool_calls: [callOf(callId, command)] },
      { role: 'tool', tool_call_id: callId, content: text },
    ]),
    { role: 'assistant', content: 'I have looked at the tests, the build, the logs and the orders.' },
    { role: 'user', content: 'Which tests fail, why, and where is the code that has to change?' },
  ]
  return { messages, outputs }
}

function callOf(id, command) {
  return { id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }
}

const makers = { test: testRun, build: buildRun, search: searchRun, log: logRun, json: jsonRun }

/** The kinds of output. */
export const kinds = Object.keys(makers)

const nouns = ['cart', 'price', 'order', 'invoice', 'stock', 'refund', 'coupon', 'address', 'basket', 'tax']
const verbs = ['rounds', 'adds', 'refuses', 'keeps', 'sorts', 'removes', 'counts', 'merges']

function testRun(random, index) {
  const name = `${random.pick(nouns)} ${random.pick(verbs)} case ${index}-${random.below(1000)}`
  const file = `test/${random.pick(nouns)}-${random.below(90)}.test.ts`
  const reason = `AssertionError: expected ${random.below(900)} to be ${random.between(1000, 1999)}`
  const place = `${file}:${random.between(10, 90)}:${random.between(3, 20)}`
  const passing = (length) =>
    Array.from({ length }, () => {
      const one = `test/${random.pick(nouns)}-${random.below(90)}.test.ts > ${random.pick(nouns)} ${random.pick(verbs)} ${random.below(9999)}`
      return ` ✓ ${one} ${random.between(1, 40)}ms`
    })
  const total = random.between(250, 500)
  const failure = [` FAIL  ${file} > ${name}`, reason, ` ❯ ${place}`, '']
  const lines = [...passing(random.between(90, 160)), ...failure, ...passing(total), `Tests  1 failed | ${total} passed`]
  return { command: `npx vitest run test/part-${index}`, text: lines.join('\n'), mustKeep: [name, reason, place] }
}

function buildRun(random, index) {
  const errors = Array.from({ length: 2 }, () => {
    const place = `src/${random.pick(nouns)}-${random.below(900)}.ts(${random.between(5, 400)},${random.between(1, 60)})`
    return `${place}: error TS2322: Type 'string' is not assignable to type '${random.pick(nouns)}${random.below(900)}'.`
  })
  const done = (length) =>
    Array.from(
      { length },
      () => `[${random.between(10, 99)}%] compiled src/${random.pick(nouns)}/${random.pick(verbs)}-${random.below(900)}.ts`,
    )
  const lines = [
    ...done(random.between(120, 250)),
    errors[0],
    ...done(random.between(60, 150)),
    errors[1],
    ...done(80),
    'Found 2 errors.',
  ]
  return { command: `npm run build -w packages/part-${index}`, text: lines.join('\n'), mustKeep: errors }
}

function searchRun(random) {
  const name = `load${random.pick(nouns)}${random.below(900)}`
  const definition = `export function ${name}(path: string): Settings {`
  const uses = Array.from({ length: random.between(150, 300) }, () => ({
    file: `src/${random.pick(nouns)}/${random.pick(verbs)}-${random.below(60)}.ts`,
    line: `  const ${random.pick(nouns)} = ${name}('${random.pick(nouns)}-${random.below(999)}.json')`,
  }))
  const at = random.between(60, uses.length - 60)
  const hits = [...uses.slice(0, at), { file: 'src/settings/read-settings.ts', line: definition }, ...uses.slice(at)]
  const text = hits.map(({ file, line }) => `${file}:${random.between(1, 400)}:${line}`).join('\n')
  return { command: `rg -n ${name}`, text, mustKeep: [definition], search: { name, hits } }
}

function logRun(random, index) {
  const stamp = (second) => `2026-11-0${random.between(1, 9)}T10:${String(second % 60).padStart(2, '0')}:00.000Z`
  const quiet = (length) =>
    Array.from(
      { length },
      (_, second) => `${stamp(second)} INFO  request GET /api/${random.pick(nouns)} 200 ${random.between(1, 90)}ms`,
    )
  const error = `ERROR payment ${random.between(10_000, 99_999)} declined: card_expired for customer ${random.between(1000, 9999)}`
  const lines = [...quiet(random.between(100, 250)), `${stamp(30)} ${error}`, ...quiet(random.between(150, 300))]
  return { command: `docker logs shop-${index} --tail 500`, text: lines.join('\n'), mustKeep: [error] }
}

function jsonRun(random, index) {
  const orders = Array.from({ length: random.between(80, 150) }, (_, index) => ({
    id: `order-${random.between(100_000, 999_999)}`,
    customer: `${random.pick(nouns)}-${index}`,
    total: random.between(100, 99_999),
    status: 'paid',
    items: [{ sku: `sku-${random.below(9999)}`, count: random.between(1, 5) }],
  }))
  const failed = orders[random.between(30, orders.length - 30)]
  Object.assign(failed, { status: 'failed', error: `warehouse ${random.between(100, 999)} has no stock left` })
  return { command: `curl -s localhost:300${index}/orders`, text: JSON.stringify(orders), mustKeep: [failed.id, failed.error] }
}
