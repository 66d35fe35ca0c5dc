const nouns = [
  'parser',
  'request',
  'invoice',
  'session',
  'worker',
  'cache',
  'schema',
  'handler',
  'queue',
  'report',
  'ledger',
  'token',
]
const verbs = ['reads', 'drops', 'retries', 'rounds', 'validates', 'merges', 'rejects', 'encodes', 'flushes', 'splits']
const places = [
  'in the retry path',
  'before the first write',
  'when the list is empty',
  'on a slow disk',
  'after a restart',
  'for large files',
]
const chinese = [
  '请检查一下发票金额的舍入规则',
  '测试在空列表上失败了',
  '把重试逻辑移到队列模块里',
  '日志里为什么有两条相同的记录',
]
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Text of about the given length as agents see it: sentences, code, logs, matches, Chinese, base64. */
export const texts = {
  sentences: (random, length) =>
    fill(length, ' ', () => `The ${random.pick(nouns)} ${random.pick(verbs)} the ${random.pick(nouns)} ${random.pick(places)}.`),
  chinese: (random, length) => fill(length, '。', () => random.pick(chinese)),
  code: (random, length) => {
    let line = 0
    return fill(length, '\n', () => {
      line += 1
      const name = `${random.pick(nouns)}${random.below(50)}`
      return `${String(line).padStart(6)}→  const ${name} = await ${random.pick(verbs)}(${random.pick(nouns)}, { limit: ${random.below(900)} })`
    })
  },
  log: (random, length) => {
    let second = 0
    return fill(length, '\n', () => {
      second += 1
      const time = `${String(Math.floor(second / 60) % 60).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`
      const level = random.chance(0.03) ? 'WARN' : 'INFO'
      return `10:${time} ${level} ${random.pick(nouns)}-${random.below(9)} ${random.pick(verbs)} id=${random.below(1e6)} took=${random.below(400)}ms`
    })
  },
  matches: (random, length) =>
    fill(length, '\n', () => {
      const file = `src/${random.pick(nouns)}/${random.pick(nouns)}.ts`
      return `${file}:${random.between(1, 900)}:  if (${random.pick(nouns)}.${random.pick(verbs)}) return ${random.pick(nouns)}`
    }),
  base64: (random, length) => {
    let text = 'iVBORw0KGgo'
    while (text.length < length) text += alphabet[random.below(64)]
    return text.slice(0, length - (length % 4))
  },
}

function fill(length, separator, line) {
  const lines = []
  for (let size = 0; size < length; ) {
    const next = line()
    lines.push(next)
    size += next.length + separator.length
  }
  return lines.join(separator).slice(0, length)
}
