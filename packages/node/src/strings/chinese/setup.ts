import { tight } from '../../shared/strings/chinese.ts'
import type * as english from '../english/setup.ts'

export const config: typeof english.config = {
  help: {
    config: '以 YAML 显示生效的设置',
    key: '一项设置或一个部分，例如 compaction.threshold（默认：全部）',
    showOrigin: '显示各项设置的来源：默认值、文件与行号、环境变量或选项',
    root: '读取此目录中的 plimsoll.yaml（默认：当前目录）',
    json: '只输出 JSON：{ "config", "origins", "warnings" }',
  },
  unknownKey: (key, near) => `未知设置 ${key}。${near === null ? '用 plimsoll config 查看全部设置。' : `你是不是要找 ${near}？`}`,
  secret: '（已隐藏）',
  promptFile: (path) => `提示词文件：${path}`,
}

export const prices: typeof english.prices = {
  help: {
    prices: '显示模型的价格及其来源',
    model: '日志和请求中的模型名称（默认：配置中的模型和内置价格表中的模型）',
    day: '指定日期的价格，例如 2026-03-01（默认：今天）',
    json: '只输出 JSON：{ "day", "pricesFrom", "prices", "unknown" }',
  },
  title: (day, date) => `${day} 每百万词元的美元价格。内置价格查询于 ${date}。`,
  model: '模型',
  input: '输入',
  cacheRead: '缓存读取',
  cacheWrite: '缓存写入',
  hour: '写入 1 小时',
  output: '输出',
  from: '来源',
  origins: { configuration: '你的配置', table: '内置', list: '公开价格表（genai-prices）' },
  ownPattern: (key) => `你的配置（${key}）`,
  longPrompt: (tokens, input, output) => `超过 ${tokens} 词元：输入 ×${input}，输出 ×${output}`,
  webSearch: (amount) => `网页搜索每千次 ${amount}`,
  busy: (factor) => `高峰时段最高 ×${factor}`,
  until: (day) => `截至 ${day}`,
  more: '公开价格表中还有数百个模型：plimsoll prices MODEL',
  unknown: (models, first) =>
    `没有 ${models} 的价格。请在配置中设置（每百万词元的美元价格）：prices: { ${first}: { input: 1, output: 5 } }`,
  badDay: (came, today) => `--day：应为日期，例如 ${today}，实际为 ${came}`,
}

export const statusline: typeof english.statusline = {
  help: { statusline: '用一行显示当前会话的状态，供 Claude Code 的状态栏或 shell 提示符使用', json: '只输出 JSON' },
  measured: (used, usable, share) => `实测 ${used} / ${usable} 词元（${tight(share)}）`,
  estimated: (used, usable, share) => `估算 ${used} / ${usable} 词元（${tight(share)}）`,
  usedOnly: (used) => `${used} 词元`,
  cacheHot: (left) => `缓存有效，还剩 ${left}`,
  cacheCold: '缓存已失效',
  minutes: (minutes) => `${minutes} 分钟`,
  seconds: (seconds) => `${seconds} 秒`,
  cost: (money) => money,
  today: (cost, lastHour) => `今日 ${cost}${lastHour === null ? '' : `（最近一小时 ${lastHour}）`}`,
  budget: {
    day: (spent, budget) => `日预算 ${spent} / ${budget}`,
    week: (spent, budget) => `周预算 ${spent} / ${budget}`,
    month: (spent, budget) => `月预算 ${spent} / ${budget}`,
  },
  trimmable: (tokens) => `可精简 ${tokens} 词元`,
}

export const completion: typeof english.completion = {
  help: { completion: '输出一段 shell 脚本，用 Tab 键补全命令、选项、会话和智能体', shell: (shells) => `shell 名称：${shells}` },
  badShell: (shells, came) => `SHELL：应为 ${shells} 之一，实际为 ${came}`,
}

export const repair: typeof english.repair = {
  help: {
    repair: '把损坏的日志或对话修复为一份副本，并列出修复之处',
    file: 'Plimsoll、Claude Code、Codex、Gemini CLI、opencode、pi、Cline、Copilot CLI 或 snow-cli 的日志，消息列表，或一次请求',
    out: '把副本写入此新文件（默认：原名中加入 .repaired）',
    keepImages: '在副本中保留特别大的图片（默认：移到同一目录的文件中）',
    json: '只输出 JSON：{ "format", "mends", "copy", … }',
  },
  title: (file, format) => `${file}，按 ${format} 读取`,
  lines: (_count, formatted) => `${formatted} 行`,
  whole: '没有损坏，无需写入。',
  mended: (_count, formatted) => `修复了 ${formatted} 处`,
  line: (line) => `第 ${line} 行`,
  message: (message) => `第 ${message} 条消息`,
  more: (count) => `……另有 ${count} 处；--json 列出全部`,
  mends: {
    'byte-order-mark': '删除了字节顺序标记',
    'nul-bytes': '删除了 NUL 字节',
    'control-characters': '按 JSON 的要求转义了控制字符',
    'not-utf8': '把不是 UTF-8 的字节换成了 �',
    'lone-surrogates': '把服务商会拒绝的半个字符换成了 �',
    'split-line': '把同一行的多条记录拆成各占一行',
    'cut-piece': '删除了同一行中另一条记录的残片',
    'cut-line': '已删除：不是 JSON 对象',
    'cut-end': '已删除：没有写完',
    'closed-document': 'JSON 在此中断或损坏，已在最后一条完整消息之后补全结尾',
    'dropped-entry': '已删除：没有可读的内容',
    'repeated-entry': '已删除：与之前的记录重复',
    'new-id': '已换成新 id：与另一条记录的 id 相同',
    'new-head': '补上了这种日志缺少的第一条记录',
    'moved-head': '已移到最前：这种日志以它开头',
    'moved-entry': '已移到它所延续的记录之后',
    relinked: '所指的上一条记录无法到达',
    'answered-call': '为没有结果的调用补上了说明中断的结果',
    'moved-result': '把结果移到了对应的调用之后',
    'dropped-result': '删除了没有对应调用的结果',
    'doubled-result': '删除了同一调用的第二个结果',
    'lifted-image': '把特别大的图片移到了单独的文件',
  },
  to: (line) => `改接到第 ${line} 行`,
  toBeginning: '改作分支的开头',
  tool: (tool) => `工具 ${tool}`,
  written: (file, size) => `已写入 ${file}（${size}），仅本人可读。`,
  pictures: (count, folder) => `${count} 张图片已移到 ${folder}。`,
  untouched: '原文件没有改动。',
  checked: '副本已检查：每条记录都可读，每个调用都有结果。',
  left: (unreadable, problems) => `未能全部修复：${unreadable} 条记录无法读取，${problems} 个调用或结果会被服务商拒绝。`,
  reading: (file) => `正在读取 ${file} ……`,
  progress: (bar, done) => `${bar}  ${done}`,
  notFound: (file) => `找不到文件 ${file}。请检查路径。`,
  exists: (file) => `${file} 已存在，不会覆盖。请用 --out 指定其他文件，或先删除它。`,
  notWritten: (file, reason) => `无法写入 ${file}：${reason}。`,
  store: (agent) =>
    `${agent} 把这个会话存在多个文件或数据库中，无法直接修复。请先导出为一个文件（opencode export ID > session.json）再修复。`,
  sameFile: '--out 指向原文件，而原文件不会改动。请指定其他文件。',
}
