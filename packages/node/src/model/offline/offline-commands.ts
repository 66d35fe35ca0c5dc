import { type Operand, offlinePieces, readFenced, readText, readWord } from './offline-pieces.ts'

/** A call of a tool, help, or text it does not understand. */
export type OfflineCommand = OfflineCall | { readonly kind: 'help' } | { readonly kind: 'unknown'; readonly text: string }

export interface OfflineCall {
  readonly kind: 'call'
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly about: string
  /** The file it changes, which has to be read before; null for all other commands. */
  readonly changes: string | null
}

/** The commands in a text, in order: English or Chinese, one a line or several separated by `;`, `, then` or `然后`. */
export function offlineCommands(text: string): readonly OfflineCommand[] {
  const found: { readonly command: OfflineCommand; readonly more: string[] }[] = []
  for (const { text: piece, followsSemicolon } of offlinePieces(text)) {
    const command = readCommand(piece)
    const before = found.at(-1)
    // After `run`, unknown text belongs to the shell command.
    if (command.kind === 'unknown' && followsSemicolon && before !== undefined && isShell(before.command)) before.more.push(piece)
    else found.push({ command, more: [] })
  }
  return found.map(({ command, more }) =>
    isShell(command) && more.length > 0 ? shell([command.input['command'], ...more].join('; ')) : command,
  )
}

function isShell(command: OfflineCommand): command is OfflineCall {
  return command.kind === 'call' && command.tool === 'Bash'
}

/** Verbs, and how the rest of the command is read; null if it does not fit. */
const rules: readonly { readonly words: RegExp; readonly read: (rest: string) => OfflineCommand | null }[] = [
  { words: verb(['help', '\\?'], ['帮助', '？']), read: (rest) => (rest === '' ? { kind: 'help' } : null) },
  { words: verb(['read', 'open', 'show'], ['读取', '阅读', '查看', '打开', '读']), read: readRead },
  { words: verb(['list'], ['列出', '列表']), read: readList },
  { words: verb(['find'], ['查找', '找']), read: readFind },
  { words: verb(['search', 'grep'], ['搜索', '搜寻']), read: readSearch },
  { words: verb(['edit', 'change'], ['编辑', '修改']), read: readEdit },
  { words: verb(['write', 'create'], ['写入', '创建', '写']), read: readWrite },
  { words: verb(['run', 'execute'], ['运行', '执行']), read: readRun },
  { words: verb(['repo map', 'map'], ['仓库地图', '地图']), read: (rest) => optionalPath('repo_map', 'map', rest) },
  {
    words: verb(['structure', 'tree'], ['目录结构', '结构']),
    read: (rest) => optionalPath('get_repo_structure', 'structure', rest),
  },
  { words: verb(['todos?'], ['待办事项', '待办']), read: readTodo },
  { words: verb(['draw'], ['绘制', '画']), read: readDraw },
  { words: verb(['recall'], ['取回', '回忆', '召回']), read: readRecall },
]

const opening = /^(?:[-*]\s{1,20}|\d{1,3}[.)]\s{1,20}|(?:please|then|now)\s{1,20}|(?:请|先|再|接着)\s{0,20})/i

function readCommand(piece: string): OfflineCommand {
  let text = piece.trim()
  for (let times = 0; times < 3; times += 1) text = text.replace(opening, '')
  for (const { words, read } of rules) {
    const found = words.exec(text)
    const command = found === null ? null : read(text.slice(found[0].length).trim())
    if (command !== null) return command
  }
  return { kind: 'unknown', text: piece }
}

/** English words end at a blank or a colon; Chinese ones need nothing after them. */
function verb(english: readonly string[], chinese: readonly string[]): RegExp {
  return new RegExp(`^(?:(?:${english.join('|')})(?=[\\s:：]|$)|(?:${chinese.join('|')})(?:一下)?)\\s{0,40}[:：]?`, 'i')
}

function call(tool: string, input: OfflineCall['input'], about: string, changes: string | null = null): OfflineCall {
  const line = about.slice(0, 400).replace(/\s+/g, ' ').slice(0, 200)
  return { kind: 'call', tool, input, about: line.replace(/[\uD800-\uDBFF]$/, ''), changes }
}

function readRead(rest: string): OfflineCommand | null {
  const word = readPath(rest)
  if (word === null) return null
  const inPath = word.rest.trim() === '' ? /^(.{1,1000}):(\d{1,9}(?:-\d{1,9})?)$/.exec(word.value) : null
  const path = inPath?.[1] ?? word.value
  const span = (inPath?.[2] ?? word.rest).trim()
  if (span === '') return call('Read', { file_path: path }, `read ${path}`)
  const range = /^(?:lines?\s{1,20}|第\s{0,20})?(\d{1,9})(?:\s{0,20}(?:-|–|:|to|到|至)\s{0,20}(\d{1,9}))?\s{0,20}行?$/i.exec(span)
  const from = Math.max(1, Number(range?.[1]))
  const to = Number(range?.[2] ?? from)
  if (range === null || to < from) return null
  return call('Read', { file_path: path, offset: from, limit: to - from + 1 }, `read ${path} ${from}-${to}`)
}

function readList(rest: string): OfflineCommand | null {
  const path = rest.replace(/^(?:the\s{1,20})?(?:files|folder|文件)(?:\s{1,20}(?:in|of|under)(?=\s))?(?=\s|$)/i, '')
  return optionalPath('LS', 'list', path)
}

function optionalPath(tool: string, name: string, rest: string): OfflineCommand | null {
  if (rest.trim() === '') return call(tool, {}, name)
  const word = readPath(rest)
  return word === null || word.rest.trim() !== '' ? null : call(tool, { path: word.value }, `${name} ${word.value}`)
}

function readFind(rest: string): OfflineCommand | null {
  const word = readWord(rest)
  const path = word === null ? null : readPlace(word.rest)
  return word === null || path === null ? null : lookFor('Glob', 'find', word.value, path)
}

function readSearch(rest: string): OfflineCommand | null {
  const text = rest.replace(/^for\s{1,20}/i, '')
  const { value, rest: behind } = readText(text) ?? cutPlace(text)
  const path = readPlace(behind)
  return value === '' || path === null ? null : lookFor('Grep', 'search', value, path)
}

/** A pattern without quotes ends at the last `in PATH` of the text. */
function cutPlace(text: string): Operand {
  const at = Math.max(text.lastIndexOf(' in '), text.lastIndexOf(' 在 '))
  const place = at < 0 ? null : readPlace(text.slice(at))
  return place === null ? { value: text, rest: '' } : { value: text.slice(0, at).trim(), rest: text.slice(at) }
}

function readPlace(text: string): string | null {
  const place = text.trim()
  if (place === '') return ''
  const word = /^(?:in|under|在|于)\s/i.test(place) ? readPath(place.replace(/^\S+\s/, '')) : null
  return word !== null && /^\s{0,20}[中里]?$/.test(word.rest) ? word.value : null
}

function lookFor(tool: string, name: string, pattern: string, path: string): OfflineCall {
  if (path === '') return call(tool, { pattern }, `${name} ${pattern}`)
  return call(tool, { pattern, path }, `${name} ${pattern} in ${path}`)
}

function readEdit(rest: string): OfflineCommand | null {
  const path = readTarget(rest)
  if (path === null) return null
  const edits: OfflineCall['input'][] = []
  for (let left = path.rest; left.trim() !== ''; ) {
    const pair = readReplacement(left.replace(/^\s{0,40}[,，]/, ''))
    if (pair === null) return null
    edits.push(pair.replacement)
    left = pair.rest
  }
  if (edits.length === 0) return null
  const file = { file_path: path.value }
  const about = `edit ${path.value}`
  return edits.length === 1
    ? call('Edit', { ...file, ...edits[0] }, about, path.value)
    : call('MultiEdit', { ...file, edits }, about, path.value)
}

function readReplacement(text: string): { readonly replacement: OfflineCall['input']; readonly rest: string } | null {
  const before = readText(text)
  const arrow = before === null ? null : /^\s{0,40}(?:->|→|=>|with|改为|换成|to(?=\s))/i.exec(before.rest)
  const after =
    before === null || arrow === null ? readFenced(before?.rest.trimStart() ?? '') : readText(before.rest.slice(arrow[0].length))
  if (before === null || after === null) return null
  const everywhere = /^\s{0,40}(?:everywhere|全部|处处)/i.exec(after.rest)
  const all = everywhere === null ? {} : { replace_all: true }
  const replacement = { old_string: before.value, new_string: after.value, ...all }
  return { replacement, rest: after.rest.slice(everywhere?.[0].length ?? 0) }
}

function readWrite(rest: string): OfflineCommand | null {
  const path = readTarget(rest)
  const start = path?.rest.trimStart() ?? ''
  const fenced = readFenced(start)
  const text = fenced ?? readText(start)
  if (path === null || text === null || text.rest.trim() !== '') return null
  // A block of lines is a file that ends with a newline.
  const content = fenced === null || fenced.value === '' ? text.value : `${text.value}\n`
  return call('Write', { file_path: path.value, content }, `write ${path.value}`, path.value)
}

function readRun(rest: string): OfflineCommand | null {
  const block = readFenced(rest) ?? (rest.startsWith('`') ? readText(rest) : null)
  const command = (block !== null && block.rest.trim() === '' ? block.value : rest).trim()
  // `run the tests` is not a shell command.
  return /^(?:the|a|an|my|all|some)\s/i.test(command) || !/^[\x21-\x7e]/.test(command) ? null : shell(command)
}

function shell(command: string): OfflineCall {
  return call('Bash', { command }, `run ${command}`)
}

function readTodo(rest: string): OfflineCommand | null {
  const items = rest
    .split(/[;；\n]/)
    .map((item) => item.trim().replace(/^(?:[-*]|\d{1,3}[.)])\s{1,20}/, ''))
    .filter((item) => item !== '')
  if (items.length === 0) return null
  return call('TodoWrite', { todos: items.map(readItem) }, `todo: ${items.join('; ')}`)
}

function readItem(item: string): { readonly content: string; readonly status: string } {
  const mark = /^\[([ x>~])\]\s{0,20}/i.exec(item)
  const status = { x: 'completed', '>': 'in_progress', '~': 'in_progress' }[mark?.[1]?.toLowerCase() ?? ''] ?? 'pending'
  return { content: item.slice(mark?.[0].length ?? 0), status }
}

function readDraw(rest: string): OfflineCommand | null {
  const quoted = readText(rest)
  const prompt = quoted !== null && quoted.rest.trim() === '' ? quoted.value : rest
  return prompt === '' ? null : call('image_generate', { prompt }, `draw ${prompt}`)
}

function readRecall(rest: string): OfflineCommand | null {
  const input = /^[0-9a-f]{12}$/i.test(rest) ? { handle: rest.toLowerCase() } : { query: rest }
  return rest === '' ? null : call('recall', input, `recall ${rest}`)
}

function readPath(text: string): Operand | null {
  const word = readWord(text)
  if (word === null) return null
  return { ...word, value: word.value.replace(/[。，]$/, '').replace(/(?<=[^./])\.$/, '') }
}

function readTarget(text: string): Operand | null {
  const start = text.replace(/^@/, '')
  const bare = /^[^\s:："“「'`]{1,1000}/.exec(start)?.[0]
  const word = bare === undefined ? readWord(start) : { value: bare, rest: start.slice(bare.length) }
  return word === null ? null : { value: word.value, rest: word.rest.replace(/^\s{0,40}[:：]/, '') }
}
