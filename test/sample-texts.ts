import { readFileSync } from 'node:fs'

/** Texts that were not used to fit the token estimate, by class; a few kilobytes each, the same in every run. */
export function sampleTexts(): Readonly<Record<string, string>> {
  return {
    English: `${prose.join('\n\n')}\n\n${installed('chai/README.md')}`,
    code: `${installed('yaml/dist/parse/lexer.js')}\n${installed('zod/v4/core/parse.js')}`,
    logs: logLines(300),
    JSON: `${installed('gpt-tokenizer/package.json').slice(0, 6000)}\n${records(60)}`,
    Chinese: chinese.join('\n\n'),
    base64: Buffer.from(Array.from({ length: 9000 }, (_, index) => mix(index) & 255)).toString('base64'),
  }
}

function installed(file: string): string {
  return readFileSync(new URL(`../node_modules/${file}`, import.meta.url), 'utf8').slice(0, 30_000)
}

/** A deterministic pseudo-random number. */
function mix(seed: number): number {
  let value = Math.imul(seed + 1, 0x9e3779b1)
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}

function hexadecimal(seed: number): string {
  return mix(seed).toString(16).padStart(8, '0')
}

function pick(list: readonly string[], seed: number): string {
  return list[mix(seed) % list.length] ?? ''
}

const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG']
const places = ['checkout', 'inventory-sync', 'mailer', 'orders.api', 'report_builder']
const happenings = [
  'lease renewed for partition',
  'could not reach the broker, trying again in 250 ms:',
  'GET /v2/baskets/items returned 503 for customer',
  'flushed segment to disk, bytes written:',
  'dropped stale snapshot of table',
  'panic recovered in worker goroutine, stack follows for',
]

function logLines(count: number): string {
  const time = (index: number) =>
    `${String(7 + (index >> 6)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}:${String(mix(index) % 60).padStart(2, '0')}`
  const line = (index: number) =>
    `2031-03-${String(1 + (index % 28)).padStart(2, '0')}T${time(index)}.${mix(index) % 1000}Z ${pick(levels, index)} ${pick(places, index + 7)}[${mix(index) % 9000}]: ` +
    `${pick(happenings, index + 3)} ${hexadecimal(index)}-${hexadecimal(index + 1).slice(4)} (${mix(index) % 5000}ms)`
  const frame = (index: number) =>
    `    at ${pick(places, index)}.handle (/srv/app/build/${pick(places, index + 1)}.js:${mix(index) % 900}:${mix(index + 1) % 80})`
  return Array.from({ length: count }, (_, index) => (index % 7 === 6 ? frame(index) : line(index))).join('\n')
}

function records(count: number): string {
  const record = (index: number) => ({
    id: `${hexadecimal(index)}${hexadecimal(index + 99)}`,
    createdAt: 1_900_000_000 + (mix(index) % 10_000_000),
    customer: { name: pick(['North Harbour', 'West Pier', 'Old Quay'], index), active: index % 3 > 0 },
    lines: [{ sku: `SKU-${mix(index) % 100_000}`, quantity: mix(index) % 9, price: (mix(index) % 100_000) / 100 }],
    note: index % 4 === 0 ? null : pick(happenings, index),
  })
  const list = Array.from({ length: count }, (_, index) => record(index))
  return `${JSON.stringify(list)}\n${JSON.stringify(list, null, 2)}`
}

const prose = [
  'The harbour master kept two books. In the first he wrote what every captain told him: where the ship had come from, what she carried, how many days she had been at sea. In the second, which nobody else was allowed to read, he wrote what he had seen with his own eyes, and the two books seldom agreed.',
  'One winter a young clerk asked him why he went to the trouble of keeping both. The old man thought about it for a while, stirring his tea. A story, he said at last, is a kind of cargo too. Captains load it badly, most of them; they put the heavy things on top, and then they wonder why it rolls over in the first real weather. If I only wrote down what I saw, I should know how deep the hull was lying and nothing about why. If I only wrote down what I was told, I should believe that every barrel on this coast is full.',
  'So the clerk learned to look for the line painted on the side of each ship before he looked at her papers. He learned that salt water and fresh water do not carry the same load, that summer forgives what winter punishes, and that a captain who laughs too loudly about the line has usually painted it a hand too high. Years later, when he had inherited both books, he found that he reached for the second one first, and that the first had become a good deal thinner than it used to be.',
  "It isn't that people lie, he would tell the apprentices who came after him. They're tired, they've had a long journey, and they want to be done. They'll tell you whatever gets the ropes tied fastest. Your job is to be the one person on the quay who isn't in a hurry.",
]

const chinese = [
  '老码头上有一座小小的观测站，站里的工作人员每天要记录进港船只的吃水深度。他们先看船身上的载重线，再去核对货单，因为货单可以写错，水线却不会说谎。天气好的时候，港口一天能接待四十多艘船；遇到大风，所有的船都只能停在外海等待。',
  '新来的年轻人常常问：为什么不能直接相信船长报告的数字？站长总是笑着回答，报告是别人的记忆，而记忆会随着时间慢慢变轻。我们要做的事情很简单：把看到的写下来，把没有看到的留白，不要用猜测去填满表格。如果以后有人需要知道当时的情况，他至少可以分清楚哪些是事实，哪些只是说法。',
  '后来观测站换上了电子设备，传感器每隔五分钟自动上传一次数据，系统会在超过限制之前发出提醒。可是老站长仍然保留着手写的习惯。他说，机器能够告诉我们水有多深，却不能解释为什么今天这艘船比昨天慢了半个小时。真正重要的信息往往藏在两次测量之间。',
  '如果一个系统保存了太多旧的内容，它就会像装得太满的船一样，转弯变慢，遇到风浪也更容易出问题。所以我们需要定期清理：过时的输出可以压缩，重复读取的文件只保留最近几次，错误信息必须完整保留。清理的原则是，任何被移走的东西都应该能够找回来，而且每一次修改都要说明原因。',
  '周末的时候，附近的居民喜欢带着孩子来码头散步。孩子们会数船上的集装箱，也会猜测它们装的是什么：有人说是玩具，有人说是香蕉，还有人坚持认为里面住着一头会唱歌的鲸鱼。没有人知道正确答案，但是每个人都记得自己说过的话。',
  '数据库连接池的大小默认是二十，高峰期可以调整到五十。超过这个数量以后，性能不会继续提高，反而会因为锁竞争而下降。建议先打开慢查询日志，观察一周，再决定是否需要增加索引或者拆分表。不要在生产环境里直接执行没有经过评审的脚本。',
  '用户点击按钮之后，页面会显示加载动画，直到服务器返回结果。如果请求在三十秒之内没有完成，界面应该提示网络超时，并允许用户重新尝试。重试的次数最多为三次，每次间隔时间逐渐变长，避免给服务器造成更大的压力。',
  '请先阅读项目根目录下的说明文档，然后运行全部测试。如果测试失败，请不要直接修改断言，而是先分析失败的原因，确认是代码的问题还是环境的问题，再提交修改。提交信息需要写清楚修改的目的、影响范围以及验证方法。',
]
