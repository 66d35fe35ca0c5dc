import { chinese as shared } from '../../shared/strings/chinese.ts'
import type * as english from '../english/agent.ts'

export const agent: typeof english.agent = {
  help: {
    chat: '在终端中与智能体对话，或执行一项任务（-p）',
    print: '以非交互方式执行任务并输出回答；- 表示从标准输入读取任务',
    model: '指定模型，例如 anthropic/claude-sonnet-5；offline 始终指内置模型，使用 --base-url 时也一样',
    baseUrl: '指定服务器地址，须提供 OpenAI chat completions API',
    mode: '设置权限模式：read-only（只读）、ask（逐次确认）、accept-edits（自动接受修改）或 auto（全自动）',
    maxCost: '限制会话的费用（美元）',
    maxSteps: '限制一轮的请求次数',
    reasoning: '设置模型回答前的思考程度：none、low、medium 或 high',
    resume: '继续已保存的会话：会话 id 或 last',
    root: '指定工作目录（默认：当前目录）',
    json: '把每个事件输出为一行 JSON',
  },
  badMode: (given, modes) => `--mode：应为 ${modes} 之一，实际为 ${given}`,
  badReasoning: (given, levels) => `--reasoning：应为 ${levels} 之一，实际为 ${given}`,
  badNumber: (flag, given) => `${flag}：应为大于零的数字，实际为 ${given}`,
  noFolder: (path) => `--root：应为目录，实际为 ${path}`,
  jsonNeedsTask: '--json：应同时用 -p 指定任务；终端中的对话没有 JSON 输出',
  emptyTask: '-p：应为任务，实际为空',
  taskTooLong: (max) => `-p：应为最多 ${max} 个字符，实际更长`,
  noPrice: (model) =>
    `--max-cost：${model} 的价格未知，无法限制费用。请在配置中设置 prices: { ${model}: { input: …, output: … } }，或去掉 --max-cost。`,
  modelChosen: (model, why) => `模型：${model}（${why}）`,
  smallWindow: (tokens, max, how) =>
    `${tokens} 词元${max === null ? '' : `，模型支持 ${max}`}；${
      how === 'ollama'
        ? '启动 Ollama 时设置 OLLAMA_CONTEXT_LENGTH=32768，或在 Modelfile 中设置 num_ctx'
        : '启动服务器时增大上下文窗口，例如 llama.cpp 用 --ctx-size 32768'
    }`,
  offline: shared.turn.offline,
  sessionFailed: '此前的内容均已保存。请腾出磁盘空间或检查目录，然后用 --resume 继续。',
  unexpected: '这是 Plimsoll 的 bug。会话已保存，可用 --resume 继续。设置 PLIMSOLL_DEBUG=1 可查看更多信息。',
  noSummarizer: (reason) =>
    `summarization.enabled 不起作用，过长的结果将被截断。${reason}。也可以把 summarization.model 设为可用的模型。`,
  notAllowed: (calls, mode) => `未获许可，未执行：${calls}。如需允许，请加上 --mode ${mode}。`,
  cancelled: '已停止；会话已保存',
  stopped: {
    'max-steps': '任务未完成：请求次数已达上限（--max-steps）',
    'max-cost': '任务未完成：下一次请求可能超过费用上限（--max-cost）',
  },
  account: ({ requests, tokens, cost, session }) =>
    `${requests} 次请求 · ${tokens} 词元${cost === null ? '' : ` · ${cost}`} · 会话 ${session}`,
}

export const offlineModel: typeof english.offlineModel = {
  plan: (commands) => `计划：${commands.join('，然后 ')}。`,
  help: [
    '我是 Plimsoll 内置的离线模型：不是语言模型，而是用真实工具执行简单命令的小程序。要使用真正的模型，请设置 API 密钥（例如 ANTHROPIC_API_KEY），或用 --model 指定。',
    '',
    '每行一条命令，或者用“；”“，然后”隔开：',
    '',
    '- 读取 路径 [起-止]',
    '- 列出 [路径]',
    '- 查找 文件名模式 [在 路径]',
    '- 搜索 内容 [在 路径]',
    '- 编辑 路径：“旧” -> “新” [全部]',
    '- 写入 路径：“内容”',
    '- 运行 命令',
    '- 地图 [路径]',
    '- 结构 [路径]',
    '- 待办：一件事；另一件事',
    '- 画 描述',
    '- 取回 取回码，或要搜索的词',
    '',
    '较长的内容可以放在两行 ``` 之间。以 @路径 提到的文件会先被读取。',
  ].join('\n'),
  account: '离线模型执行了：',
  goingOn: (command, reason) => `“${command}”失败：${reason} 继续下一条命令。`,
  failed: (reason) => `失败：${reason}`,
  succeeded: '完成',
  exitCode: (code) => `退出码 ${code}`,
  moreLines: (count) => `……还有 ${count} 行`,
  outOfSight: '此前已完成，结果已不再显示',
  notOffered: (tool) => `未执行：这里没有工具 ${tool}`,
  stopped: (commands) => `到此停止。未执行：${commands.join('；')}。`,
  notUnderstood: (lines) => `无法识别：${lines.join('；')}。离线模型只执行命令，输入“帮助”查看命令。`,
  noSummaries: '离线模型不能生成摘要。',
}
