import { expect, it } from 'vitest'
import { overflowStringsFor, reasonsFor } from '../packages/core/src/strings/strings-for.ts'
import { stringsFor } from '../packages/node/src/strings/strings-for.ts'
import { stringsFor as webStringsFor } from '../packages/web/src/strings/strings-for.ts'

it.each([
  ['zh', '用户'],
  ['zh_CN.UTF-8', '用户'],
  ['ZH-TW', '用户'],
  ['en_GB.UTF-8', 'user'],
  ['de', 'user'],
  ['C', 'user'],
  [null, 'user'],
])('chooses the language of the locale %s', (locale, user) => expect(stringsFor(locale).view.user).toBe(user))

/** One notice is given by the specification, and the program's name is the same in all languages. */
const same = new Set(['.notices.summary_timed_out', '.shell.title'])

const tables: readonly [name: string, tableOf: (locale: string) => object, least: number][] = [
  ['the engine', (locale) => ({ reasons: reasonsFor(locale), overflow: overflowStringsFor(locale) }), 30],
  ['commands, chat, gateway and server', (locale) => ({ ...stringsFor(locale), language: null }), 800],
  ['the web app', webStringsFor, 500],
]

it.each(tables)('%s: has a Chinese text for every English one, with the same numbers and names', (_name, tableOf, least) => {
  const english = flatten(tableOf('en'))
  const chinese = new Map(flatten(tableOf('zh')))
  expect(english.length).toBeGreaterThan(least)
  expect([...chinese.keys()].toSorted()).toEqual(english.map(([key]) => key).toSorted())
  // Symbols and numbers need no translation.
  const hasWords = (text: string) => /\p{L}/u.test(text.replace(/ARG\d/g, ''))
  expect(english.filter(([key, text]) => chinese.get(key) === text && hasWords(text) && !same.has(key))).toEqual([])
  for (const [key, text] of english) expect([key, namesIn(chinese.get(key) ?? '', key)]).toEqual([key, namesIn(text, key)])
})

/** One word per concept: the word to use, and those it replaces. */
const retired: readonly [use: string, instead: RegExp][] = [
  ['服务商', /提供[方商]/],
  ['精简', /裁[剪掉]/],
  ['压缩', /折叠/],
  ['检查器', /检视/],
  ['取回码', /句柄/],
  ['取回', /召回|回忆|找回/],
  ['发给模型的内容', /视图/],
  ['目录', /文件夹/],
  ['设备', /机器/],
  ['你', /您/],
  ['应为 A，实际为 B', /实为|得到 ARG|需要.*实际为/],
  ['思考', /推理/],
  ['提示词', /提示(?=缓存)|系统提示(?!词)/],
  ['缓存失效', /缓存中断|缓存[冷热]|常热/],
  ['缓存保活', /保温|维持缓存/],
  ['生成', /撰写|写出/],
  ['输出', /打印/],
  ['加载', /载入/],
  ['撤销', /撤回/],
  ['敏感信息', /机密/],
  ['脱敏', /[遮隐]去/],
  ['省略', /略[去过]/],
  ['截断', /截短/],
  ['bug', /缺陷/],
  ['延续自', /接续|分自/],
  ['占用', /负载/],
  ['计价方案', /价格行/],
  ['策略对比', /假如/],
  ['未命名', /未具名/],
  ['响应', /应答|答复/],
  ['新建会话', /新开|新建?对话/],
  ['（省去）', /因而|亦可|迄今/],
  ['……', /\.{3}|^… ?[另还]/],
  ['%（前面没有空格）', /\d %/],
  ['词元', /(?<![（\w-])token(?![）\w])/],
]

/** Sentences that the specification gives. */
const specified = /^\.agentErrors\.CONTEXT_LENGTH_EXCEEDED|\.picture\.(?:expanding|generating)/

it.each(tables)('%s: uses one Chinese word per concept', (_name, tableOf) => {
  const texts = flatten(tableOf('zh')).filter(([key]) => !specified.test(key))
  const found = texts.flatMap(([key, text]) =>
    retired.flatMap(([use, instead]) => (instead.test(text) ? [`${key}: ${text} (${instead.exec(text)?.[0]} → ${use})`] : [])),
  )
  expect(found).toEqual([])
})

/** Every text of a table by its key, functions called with arguments that can be found again in the text. */
function flatten(value: unknown, key = ''): readonly (readonly [key: string, text: string])[] {
  if (value === null) return []
  if (typeof value === 'string') return [[key, value]]
  if (typeof value === 'function') return [[key, (value as (...names: readonly unknown[]) => string)(...argumentsFor(key))]]
  return Object.entries(value as object).flatMap(([name, field]) => flatten(field, `${key}.${name}`))
}

function argumentsFor(key: string): readonly unknown[] {
  if (key.endsWith('outputCut'))
    return [{ characters: 'ARG1', maxCharacters: 'ARG2', maxLines: 'ARG3', kept: 'head-and-tail', salientLines: 4 }]
  // An unknown code is shown unchanged in any language.
  if (key.endsWith('session.reason')) return ['ENOSPC']
  if (key.endsWith('listenReason')) return ['EACCES']
  if (/offlineModel\.(?:plan|stopped|notUnderstood)$/.test(key)) return [['ARG1', 'ARG2']]
  return ['ARG1', 'ARG2', 'ARG3', 'ARG4', 'ARG5']
}

function namesIn(text: string, key: string): readonly string[] {
  const names = [...new Set(text.match(/ARG\d|--[a-z]+|PLIMSOLL_[A-Z]+|"[a-z]+"|plimsoll\.yaml/g) ?? [])].sort()
  // The offline model is addressed in the user's language, so a quoted command is not a name.
  return key.startsWith('.offlineModel') ? names.filter((name) => !name.startsWith('"')) : names
}
