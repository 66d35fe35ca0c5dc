import { agentChinese } from './agent-chinese.ts'
import { chatChinese } from './chat-chinese.ts'
import { completionChinese } from './completion-chinese.ts'
import { configChinese } from './config-chinese.ts'
import { engineChinese } from './engine-chinese.ts'
import { gatewayChinese } from './gateway-chinese.ts'
import { offlineModelChinese } from './offline-model-chinese.ts'
import { overviewChinese } from './overview-chinese.ts'
import type { PeopleStrings } from './people-strings.ts'
import { repairChinese } from './repair-chinese.ts'
import { replayChinese } from './replay-chinese.ts'
import { requestCommandsChinese } from './request-commands-chinese.ts'
import { chineseServer } from './server-chinese.ts'
import { sessionCommandsChinese } from './session-commands-chinese.ts'
import { statuslineChinese } from './statusline-chinese.ts'
import { chineseWeb } from './web-chinese.ts'

/** What is said to people, in Chinese. */
export const chinese: PeopleStrings = {
  ...engineChinese,
  view: {
    standardInput: '标准输入',
    exampleName: '示例对话',
    example: '未指定文件，以下是内置示例：一次虚构的排错过程。',
    exampleHint: '查看您自己的对话：plimsoll view FILE',
    messages: (count) => `${count} 条消息`,
    estimated: '词元数为估算值（--exact 可精确计数）',
    exact: (tokenizer) => `词元数为精确值（${tokenizer}）`,
    asOf: (time) => `时间 ${time}`,
    window: (size, reserve, cell) => `窗口 ${size} 词元，其中 ${reserve} 留给回答；每格 ${cell}`,
    windowWithSource: (size, reserve, source) => `窗口 ${size} 词元，其中 ${reserve} 留给回答；${source}`,
    windowFrom: {
      model: (model, date) => `窗口大小取自 ${model}（${date} 所知）`,
      modelInput: (model, tokens, date) => `${model} 最多读取 ${tokens} 词元（${date} 所知）`,
      setting: (where) => `窗口大小由 ${where} 设定`,
      unknownModel: (model) => `不知道 ${model} 的窗口大小，因此使用默认值；可用 context_window 设定`,
      noModel: '未指明模型，因此窗口大小为默认值',
    },
    load: (tokens, low, high, share) => `负载：约 ${tokens} 词元（${low} 至 ${high}），占可用量的 ${share}`,
    overLine: (excess, usable) => `超出载重线 ${excess} 词元：可用 ${usable}`,
    before: '精简前',
    after: '精简后',
    system: '系统提示',
    user: '用户',
    assistant: '助手',
    reasoning: '推理',
    calls: '工具调用',
    results: '工具结果',
    unnamedTool: '未具名工具',
    otherTools: (count) => `其他 ${count} 种工具`,
    media: '图片与媒体',
    free: '空闲',
    reserve: '输出预留',
    edits: (count) => `${count} 处修改`,
    policy: '策略',
    message: '消息',
    tool: '工具',
    tokens: '词元',
    why: '原因',
    moreEdits: (count) => `… 另有 ${count} 处较小的修改；--all 显示全部`,
    editsOfPolicy: '修改',
    saved: '节省词元',
    settings: '设置',
    truncationRate: (percent, results) => `截断率：${results} 个工具结果中有 ${percent} 被输出上限截断`,
    problems: (count) => `服务商会拒绝的问题：${count} 个`,
    problem: (rule, message) => `${rule}，位于消息 ${message}`,
    nothingToTrim: '无需精简：这段对话可以原样发送。',
    nothingTrimmed: '没有可以精简的内容；仍有问题，见上文。',
    noTimes: '消息没有时间戳，无法判断命令是否过时',
    closing: (before, after, percent) => `${before} → ${after} 词元（${percent}）`,
    conversations: (count, shown) => `文件含 ${count} 段对话，当前显示第 ${shown} 段；用 --conversation N 选择。`,
    skippedLines: (count, line, reason) =>
      count === 1
        ? `已跳过第 ${line} 行：${reason}。plimsoll repair 可将这样的文件修复成一份副本。`
        : `已跳过 ${count} 行，首行为第 ${line} 行：${reason}。plimsoll repair 可将这样的文件修复成一份副本。`,
    skipReasons: {
      'not-json': '不是 JSON',
      'not-utf8': '不是 UTF-8 文本',
      'too-long': '过长，无法读取',
      'too-deep': '嵌套过深',
      'not-an-object': '不是对象',
      'no-message': '消息没有内容',
      repeated: '与前面某行的 id 相同',
      'bad-compaction': '这是一次压缩，但日志中缺少其保留的消息或摘要',
      'cut-off': '文件从这里起被截断或损坏',
    },
    leftOut: (abandoned, sidechains) => `未显示：已离开的分支上有 ${abandoned} 条消息，子智能体有 ${sidechains} 条消息。`,
    sentTooMuch: (requests, times) =>
      `在连续 ${requests} 个请求中，从该日志读到的消息是服务商所报 token 数的 ${times} 倍。其中一部分很可能并未发送。`,
    sentTooLittle: (requests, times) =>
      `在连续 ${requests} 个请求中，服务商所报的 token 数是从该日志读到的消息的 ${times} 倍。很可能缺少一部分消息。`,
  },
  trouble: {
    notFound: (file) => `${file}：文件不存在。请检查路径，或用 - 读取标准输入。`,
    isFolder: (file) => `${file} 是文件夹：需要的是一个对话文件。请指定其中的文件。`,
    noPermission: (file) => `${file}：没有读取权限。请检查文件及其所在文件夹的权限。`,
    unreadable: (file, code) => `${file} 无法读取（${code}）。`,
    tooLarge: (file, limit) => `${file} 超过 ${limit}，即一次可读取的上限。请按对话拆分文件。`,
    tooManyValues: (file, limit) => `${file} 含有超过 ${limit} 个 JSON 值，即一次可读取的上限。请按对话拆分文件。`,
    tooManyParts: (file, limit) => `${file} 的一段对话含有超过 ${limit} 条消息和内容块，即一次可显示的上限。请只查看其中一部分。`,
    empty: (file) => `${file} 是空的：需要 JSON 格式的对话。`,
    notUtf8: (file) => `${file} 不是 UTF-8 文本：需要 JSON 格式的对话。如果是文本，请另存为 UTF-8。`,
    utf16: (file) => `${file} 是 UTF-16 文本：需要 UTF-8。请另存为 UTF-8 后重试。`,
    notJson: (file, line, column, expected, came) =>
      `${file} 第 ${line} 行第 ${column} 列：不是 JSON：此处应为${expected}，实为 ${came}。文件是否被截断或手工改动过？`,
    endOfText: '文本结尾',
    expected: {
      value: '一个值',
      key: '双引号中的字段名',
      colon: '“:”',
      'comma-or-brace': '“,”或“}”',
      'comma-or-bracket': '“,”或“]”',
      end: '文本结尾',
      quote: '字符串的右双引号',
      escape: '转义符，如 \\n 或 \\u0041',
      printable: '写成转义形式的控制字符',
      digit: '数字',
    },
    tooDeep: (file, place, limit) => `${file}：${place} 的嵌套超过 ${limit} 层：需要的是对话。`,
    otherFormat: (file, format) =>
      `${file} 看起来是 ${format}，此版本尚不能读取。目前可读取 OpenAI chat、Anthropic、AI SDK 和 Gemini 的消息列表，以及 Claude Code、Codex、Gemini CLI、opencode、pi、Cline、Copilot CLI、OpenHands 和 SWE-agent 的日志。`,
    noMessages: (file, came) => `${file}：需要消息列表，或在 "messages"、"history"、"traj" 下含有消息列表的对象，实为 ${came}。`,
    lineWithoutMessage: (file, line) =>
      `${file} 第 ${line} 行：需要含 "role" 的消息，或在 "messages"、"history"、"traj" 下含有消息列表的对象。`,
    noSuchConversation: (file, wanted, count) => `${file}：没有第 ${wanted} 段对话：应为 1 到 ${count} 之间的数。`,
    notReadable: (file, dialect, problem) => `${file} 不能按 ${dialect} 读取：${problem}。`,
    tooLargeToPrint: (file) => `${file}：结果过大，无法作为一份 JSON 输出。请去掉 --json。`,
  },
  command: {
    program: '看清是什么占满了智能体的上下文窗口，并让它保持在载重线以下。',
    view: '把一段对话当作从未发送过，显示会发送什么，以及为什么',
    file: 'JSON 或 JSON Lines 格式的对话，- 表示标准输入（默认：内置示例）',
    now: '请求的时间，如 2026-01-31T10:00:00Z（默认：当前时间）',
    root: '项目文件夹，用于判断两种写法的路径是否同一文件（默认：当前文件夹）',
    config: '代替 ./plimsoll.yaml 的配置文件',
    policies: 'spec、economy，或以逗号分隔的策略名（默认：按配置）',
    model: '对话所用的模型；未设定 context_window 时采用其窗口大小',
    dialect: (names) => `消息的写法：${names}（默认：自动识别）`,
    conversation: '文件含多段对话时选择第几段，从 1 数起',
    exact: '用 o200k 词表精确计数词元，而非估算',
    all: '列出全部修改，不论多少',
    json: '只以 JSON 输出 { "messages", "report", "window" }',
    noColor: '不使用颜色',
    help: '显示帮助',
    version: '显示版本',
    helpTitles: { 'Usage:': '用法：', 'Options:': '选项：', 'Arguments:': '参数：', 'Commands:': '命令：' },
    helpGroups: {
      look: '查看：',
      agent: '智能体：',
      behind: '接入您自己的智能体：',
      sessions: '会话：',
      mend: '修复与设置：',
    },
    helpHint: 'plimsoll COMMAND --help 查看某个命令的详细用法；plimsoll completion bash 可用 Tab 键补全。',
    examples: '示例：',
    error: (message) => `错误：${message}`,
    sentence: (text) => `${text}。`,
    betweenSentences: '',
    seeHelp: (command) => `运行 ${command} --help 查看用法。`,
    didYouMean: (name) => `您是不是要找 ${name}？`,
    unknownCommand: (name) => `没有 ${name} 这个命令`,
    unknownOption: (name) => `没有 ${name} 这个选项`,
    missingValue: (option) => `${option} 需要一个值`,
    tooManyArguments: '参数过多：只需要一个文件',
    excessArguments: '参数过多',
    missingArgument: (name) => `缺少 ${name}`,
    badNow: (came) => `--now：需要时间，如 2026-01-31T10:00:00Z，实为 ${came}`,
    badConversation: (came) => `--conversation：需要从 1 起的整数，实为 ${came}`,
    badDialect: (names, came) => `--dialect：需要 ${names} 之一，实为 ${came}`,
    noPolicies: '--policies：需要 spec、economy，或以逗号分隔的策略名，实为空',
    badLogLevel: (came) => `PLIMSOLL_LOG：需要 debug、info、warn 或 silent，实为 ${came}`,
    folderGone: '当前文件夹已不存在；请切换到其他文件夹后重试。',
    notPrinted: (reason) => `无法输出结果：${reason}。命令要保存的内容已经保存。`,
    unexpected: (message) => `Plimsoll 内部出错：${message}。请附上所运行的命令向我们报告；PLIMSOLL_DEBUG=1 可显示出错位置。`,
  },
  notices: {
    answer_cut: '回答达到长度上限，已被截断；输入“继续”可获得其余部分。',
    answer_filtered: '提供方按其内容规则中止了回答。',
    max_steps: '本轮请求次数已达上限（agent.max_steps）；输入“继续”可接着进行。',
    max_cost: '下一次请求会使会话费用超过上限（agent.max_cost 或 --max-cost）；提高上限后可继续。',
    result_not_summarized: '较长的结果未能摘要，已改为截断。',
    tools_trouble: '部分工具无法使用。',
    summary_failed: '摘要生成失败。',
    summary_overflow: '历史内容超出了摘要模型的上下文窗口。',
    summary_empty: '返回的摘要为空。',
    summary_longer: '返回的摘要比原文还长。',
    summary_error_text: '返回的是错误信息而不是摘要。',
    summary_no_template: '返回的内容不符合摘要格式。',
    summary_not_asked: '模型已连续三次未能生成摘要，因此本次没有再请求模型；手动压缩可再次尝试。',
    summary_too_dear: '由模型生成摘要的费用可能超过会话上限（agent.max_cost 或 --max-cost），因此没有请求模型。',
    outline_kept: '已根据日志保留较早轮次的提纲，代替摘要。',
    recent_kept: '仅保留最近的历史。',
    compaction_ineffective: '摘要不会比原文更短，因此未折叠任何内容。',
    compaction_stopped: '最近几次压缩都没有缩小上下文，因此本次没有再尝试；可手动压缩并减少保留的轮次。',
    retrying: '请求没有成功，稍后重新发送。',
    answer_restarted: '回答中断，正在重新生成。',
    history_compressed: '已自动压缩对话历史，请重试',
    answer_shortened: '留给回答的空间不足，回答可能较短。',
    media_dropped: '提供方只接受更少或更小的图片和文件，请求中已省略较早的内容。',
    pairs_repaired: '提供方不接受工具调用、结果与思考内容的对应关系，请求已修复。',
    silent_overflow: '模型没有读完整个对话且未报错；将压缩对话。',
    small_window: '服务器给模型的空间很小，只能容纳较短的对话。',
    kept_alive: '等待期间已让服务商继续缓存此对话。',
    keep_alive_failed: '未能让服务商继续缓存此对话。',
  },
  agentErrors: {
    CONTEXT_LENGTH_EXCEEDED: {
      message: () => '对话内容过长，已超出模型上下文限制。',
      suggestion: () => '建议新开一个会话继续对话。',
    },
    REQUEST_TOO_LARGE: {
      message: () => '请求的字节数超出提供方的限制，且其余内容无法再缩小。',
      suggestion: () => '请新开一个会话，或去掉最大的文件和图片。',
    },
    IMAGES_REFUSED: {
      message: () => '提供方不接受此对话中的图片。',
      suggestion: () => '请减少或缩小图片，或选择支持这些图片的模型。',
    },
    TOOL_PAIRS_REFUSED: {
      message: () => '提供方不接受工具调用、结果与思考内容的对应关系。',
      suggestion: () => '请回退到较早的消息、新开一个会话，或选择其他模型。',
    },
    KEY_REFUSED: {
      message: () => '提供方拒绝了密钥。',
      suggestion: (variable) => (variable === '' ? '请检查密钥及其权限。' : `请检查 ${variable} 中的密钥及其权限。`),
    },
    RATE_LIMITED: {
      message: (words, { tries, wait }) => {
        const facts = [...(tries > 1 ? [`已请求 ${tries} 次`] : []), ...(wait === '' ? [] : [`要求等待 ${wait}`])]
        return `已达到提供方的限额${facts.length === 0 ? '' : `（${facts.join('；')}）`}${words === '' ? '' : `：${words}`}`
      },
      suggestion: () => '请稍后重试、选择其他模型，或检查账户的限额。',
    },
    MODEL_NOT_REACHED: {
      message: (words) => `多次请求后模型仍未应答${words === '' ? '' : `：${words}`}`,
      suggestion: () => '请检查网络连接和服务器地址后重试；内容不会丢失。',
    },
    MODEL_REFUSED: {
      message: (words, { isElsewhere }) =>
        `${isElsewhere ? '该地址上应答的很可能不是模型' : '模型拒绝了请求'}${words === '' ? '' : `：${words}`}`,
      suggestion: (_words, { isElsewhere }) =>
        isElsewhere
          ? '请检查服务器地址（--base-url 或相应的环境变量）：它很可能不是模型 API 的地址，例如 http://localhost:8080/v1。'
          : '请检查模型名称及其设置，或选择其他模型。',
    },
  },
  session: {
    noHome: '不知道您的主目录，因此没有存放会话的地方。请设置 HOME，或把 XDG_STATE_HOME 设为您自己的文件夹。',
    notFound: (id, folder) => `${folder} 中没有会话 ${id}。用 \`plimsoll sessions\` 查看现有会话。`,
    inUse: (pid, lock) => `会话正由进程 ${pid} 写入。同一时间只能有一个写入者：请先结束该进程。锁文件为 ${lock}。`,
    inUseElsewhere: (pid, host, lock) =>
      `会话被主机 ${host} 上的进程 ${pid} 锁定，从这里无法判断它是否仍在运行。若已不在运行，请删除 ${lock}。`,
    newerFormat: (version, known) =>
      `会话使用格式 ${version}，而此版本写入格式 ${known}。可以读取能识别的部分；要继续该会话，请使用支持格式 ${version} 的 Plimsoll。`,
    cannotRead: (file, reason) => `无法读取 ${file}：${reason}。`,
    cannotWrite: (file, reason) => `无法写入 ${file}：${reason}。没有添加任何内容；原有内容未变。`,
    cannotRestore: (file, reason) =>
      `写入失败后无法将 ${file} 恢复到原来的长度（${reason}），因此不再写入。所有已报告写入的内容都在。请重新打开会话。`,
    changedBehind: (file) =>
      `${file} 在打开期间被截短、替换或删除：有其他程序改动了它。不再写入。请检查该文件，然后重新打开会话。`,
    closed: '会话已关闭：要读取或添加内容请重新打开。',
    badEntry: (reason) => `无法保存该条目：${reason}。`,
    noEntry: (id) => `会话中没有条目 ${id}。`,
    nothingToUndo: '此分支上没有可撤销的操作。',
    reason: (code) => {
      if (code === 'ENOSPC' || code === 'EDQUOT') return `磁盘已满（${code}）；请腾出空间后重试`
      if (code === 'EFBIG') return `文件不能再变大（${code}）`
      if (code === 'EROFS') return `文件系统为只读（${code}）`
      if (code === 'EACCES' || code === 'EPERM') return `没有权限（${code}）；请检查文件夹的权限`
      if (code === 'ENOTDIR') return `其路径上有一项是文件而不是文件夹（${code}）`
      if (code === 'ENOENT') return `它已不存在（${code}）`
      return code
    },
    lineTorn: (line, reason) => `第 ${line} 行残缺（${reason}），已跳过：写入在此中断，或文件已损坏。`,
    lineForeign: (line, reason) => `第 ${line} 行不是会话条目（${reason}），已跳过。`,
    lineNewer: (line, reason) => `第 ${line} 行包含 ${reason}，已跳过。更新版本的 Plimsoll 可以读取。`,
    lineDuplicate: (line, id) => `第 ${line} 行重复了先前条目的标识 ${id}，已跳过。`,
    lineUnreachable: (line, parent) => `第 ${line} 行接续条目 ${parent}，但在它之前找不到该条目；已接到前一个条目之后。`,
    blobLost: (file) => `${file} 不见了，因此无法取回其内容。请从备份恢复该文件；会话的其余部分都在。`,
    blobDamaged: (file) => `${file} 已损坏：其内容与作为文件名的哈希不符。请从备份恢复该文件；会话的其余部分都在。`,
    blobTooLarge: (file, megabytes) => `${file} 有 ${megabytes} MB，无法一次载入。请只取其中一部分，或直接打开该文件。`,
  },
  sessionCommands: sessionCommandsChinese,
  requestCommands: requestCommandsChinese,
  offlineModel: offlineModelChinese,
  overview: overviewChinese,
  replay: replayChinese,
  agent: agentChinese,
  chat: chatChinese,
  server: chineseServer,
  web: chineseWeb,
  gateway: gatewayChinese,
  repair: repairChinese,
  config: configChinese,
  statusline: statuslineChinese,
  completion: completionChinese,
}
