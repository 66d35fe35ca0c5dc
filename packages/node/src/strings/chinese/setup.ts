import type * as english from '../english/setup.ts'

export const config: typeof english.config = {
  help: {
    config: '以 YAML 显示此处生效的设置，以及各项来自何处',
    key: '一项设置或一个部分，例如 compaction.threshold（默认：全部）',
    showOrigin: '逐项说明来源：默认值、文件与行号、环境变量或选项',
    root: '读取其中 plimsoll.yaml 的文件夹（默认：当前文件夹）',
    json: '只输出 JSON：{ "config", "origins", "warnings" }',
  },
  unknownKey: (key, near) =>
    `没有 ${key} 这项设置。${near === null ? '用 plimsoll config 查看全部设置。' : `您是不是要找 ${near}？`}`,
  secret: '（已隐藏）',
}

export const statusline: typeof english.statusline = {
  help: { statusline: '用一行说明当前会话，供 Claude Code 的状态栏或命令提示符使用', json: '只以 JSON 输出同样的内容' },
  measured: (used, usable, share) => `实测 ${used} / ${usable}（${share}）`,
  estimated: (used, usable, share) => `估算 ${used} / ${usable}（${share}）`,
  usedOnly: (used) => `${used} 词元`,
  cacheHot: (left) => `缓存有效，还剩 ${left}`,
  cacheCold: '缓存已失效',
  minutes: (minutes) => `${minutes} 分钟`,
  seconds: (seconds) => `${seconds} 秒`,
  cost: (money) => money,
  trimmable: (tokens) => `可裁剪 ${tokens}`,
}

export const completion: typeof english.completion = {
  help: { completion: '输出一段脚本，让 shell 能补全命令、选项、会话和智能体', shell: (shells) => `shell 名称：${shells}` },
  badShell: (shells, came) => `应为 ${shells} 之一，实际为 ${came}`,
}

export const repair: typeof english.repair = {
  help: {
    repair: '把损坏的日志或对话修复成一份副本，并逐条说明做了什么',
    file: 'Plimsoll、Claude Code、Codex、Gemini CLI、opencode、pi、Cline 或 Copilot CLI 的日志，消息列表，或一个请求',
    out: '副本写到哪里；该处不得已有文件（默认：原名中加入 .repaired）',
    keepImages: '保留特别大的图片（默认：移到副本旁的文件中）',
    json: '只输出 JSON：{ "format", "mends", "copy", … }',
  },
  title: (file, format) => `${file}，按 ${format} 读取`,
  lines: (_count, formatted) => `${formatted} 行`,
  whole: '没有损坏，因此什么也没有写。',
  mended: (_count, formatted) => `修复了 ${formatted} 处`,
  line: (line) => `第 ${line} 行`,
  message: (message) => `第 ${message} 条消息`,
  more: (count) => `……另有 ${count} 处；--json 列出全部`,
  mends: {
    'byte-order-mark': '去掉了字节顺序标记',
    'nul-bytes': '去掉了 NUL 字节',
    'control-characters': '控制字符改成了 JSON 要求的写法',
    'not-utf8': '不是 UTF-8 的字节换成了 �',
    'lone-surrogates': '服务商会拒绝的半个字符换成了 �',
    'split-line': '挤在一行的多条记录各占一行',
    'cut-piece': '去掉了同一行中另一条记录的残片',
    'cut-line': '不是 JSON 对象，已略去',
    'cut-end': '没有写完，已略去',
    'closed-document': 'JSON 在此中断或损坏：在最后一条完整消息之后收尾',
    'dropped-entry': '没有可读的内容，已略去',
    'repeated-entry': '与之前的记录重复，已略去',
    'new-id': '与另一条记录的编号相同，已换成新编号',
    'new-head': '这种日志开头必须有的记录丢失了，已补上',
    'moved-head': '是这种日志的开头，已移到最前',
    'moved-entry': '排在它所接的记录之前，已移到其后',
    relinked: '所指的上一条记录无法到达',
    'answered-call': '没有结果的调用得到了一条说明中断的结果',
    'moved-result': '结果已移到对应调用之后',
    'dropped-result': '没有对应调用的结果，已略去',
    'doubled-result': '同一调用的第二个结果，已略去',
    'lifted-image': '特别大的图片已移到单独的文件',
  },
  to: (line) => `改接到第 ${line} 行`,
  toBeginning: '改作开头',
  tool: (tool) => `工具 ${tool}`,
  written: (file, size) => `已写入 ${file}（${size}），只有您能读取。`,
  pictures: (count, folder) => `${count} 张图片放到了 ${folder}。`,
  untouched: '原文件没有改动。',
  checked: '副本已重新读过：每条记录都可读，每个调用都有结果。',
  left: (unreadable, problems) =>
    `并非全部都能修复：${unreadable} 条记录仍不可读，${problems} 个调用或结果所在的位置会被服务商拒绝。`,
  reading: (file) => `正在读取 ${file} ……`,
  progress: (bar, done) => `${bar}  ${done}`,
  notFound: (file) => `${file}：文件不存在。请检查路径。`,
  exists: (file) => `${file} 已经存在，不会覆盖任何文件。请用 --out 指定别的文件，或先把它移走。`,
  notWritten: (file, reason) => `${file} 无法写入：${reason}。`,
  store: (agent) =>
    `${agent} 把这个会话存在许多文件或数据库里，无法就地修复。请先导出成一个文件（opencode export ID > session.json）再修复。`,
  sameFile: '--out 指向原文件本身，而原文件从不改动。请指定别的文件。',
}
