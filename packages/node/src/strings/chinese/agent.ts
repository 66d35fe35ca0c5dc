import { chinese as shared } from '../../shared/strings/chinese.ts'
import type * as english from '../english/agent.ts'

export const agent: typeof english.agent = {
  help: {
    chat: '在终端中与智能体对话，或让它完成一项任务（-p）',
    print: '无人值守地完成这项任务并输出回答；- 表示从标准输入读取',
    model: '回答所用的模型，例如 anthropic/claude-sonnet-5；offline 始终是内置模型，有 --base-url 时也是',
    baseUrl: '兼容 OpenAI chat completions 的服务器地址',
    mode: '智能体无需询问即可做的事：read-only、ask、accept-edits 或 auto',
    maxCost: '会话最多花费的美元数',
    maxSteps: '一轮最多的请求次数',
    reasoning: '模型回答前思考的程度：none、low、medium 或 high',
    resume: '继续一个已保存的会话：其 id，或 last',
    root: '智能体工作的文件夹（默认：当前文件夹）',
    json: '把每个事件输出为一行 JSON',
  },
  badMode: (given, modes) => `--mode：应为 ${modes} 之一，实际为 ${given}`,
  badReasoning: (given, levels) => `--reasoning：应为 ${levels} 之一，实际为 ${given}`,
  badNumber: (flag, given) => `${flag}：应为大于零的数字，实际为 ${given}`,
  noFolder: (path) => `${path}：应为智能体可以工作的文件夹`,
  jsonNeedsTask: '--json：需要用 -p 给出任务；终端中的对话没有 JSON 形式',
  emptyTask: '-p：应给出任务，实际为空',
  taskTooLong: (most) => `-p：任务最多 ${most} 个字符`,
  noPrice: (model) => `--max-cost：不知道 ${model} 的价格，无法遵守上限；请在配置中设置 models.${model}.price，或去掉该上限`,
  modelChosen: (model, why) => `模型：${model}（${why}）`,
  smallWindow: (tokens, most, how) =>
    `${tokens} 词元${most === null ? '' : `（最多 ${most}）`}；${
      how === 'ollama'
        ? '启动 Ollama 时设置 OLLAMA_CONTEXT_LENGTH=32768，或在 Modelfile 中设置 num_ctx'
        : '启动服务器时请增大上下文，例如 llama.cpp 用 --ctx-size 32768'
    }`,
  offline: shared.turn.offline,
  sessionFailed: '此前的内容均已保存。请腾出空间或修复文件夹，然后用 --resume 继续。',
  unexpected: '这是 Plimsoll 的缺陷。会话已保存；可用 --resume 继续，设置 PLIMSOLL_DEBUG=1 可查看更多信息。',
  summariesOfProject: '项目文件要求由模型摘要工具结果（summarization）；这只能在您自己的配置中设置，因此改为截断。',
  notAllowed: (calls, mode) => `未获许可，未执行：${calls}。如需允许，请加上 --mode ${mode}。`,
  cancelled: '已停止；会话已保存',
  stopped: {
    'max-steps': '任务未完成：请求次数已达上限（--max-steps）',
    'max-cost': '任务未完成：下一次请求会超过费用上限（--max-cost）',
  },
  account: ({ requests, tokens, cost, session }) =>
    `${requests} 次请求 · ${tokens} 词元${cost === null ? '' : ` · ${cost}`} · 会话 ${session}`,
}

export const offlineModel: typeof english.offlineModel = {
  plan: (commands) => `计划：${commands.join('，然后 ')}。`,
  help: [
    '我是 Plimsoll 内置的离线模型：不是语言模型，而是一个用真实工具执行简单命令的小程序。想和真正的模型对话，请设置它的密钥（例如 ANTHROPIC_API_KEY），或用 --model 选择一个。',
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
    '- 回忆 句柄，或要搜索的词',
    '',
    '较长的内容可以放在两行 ``` 之间。以 @路径 提到的文件会先被读取。',
  ].join('\n'),
  account: '离线模型所做的：',
  goingOn: (command, reason) => `“${command}”失败：${reason} 继续下一条命令。`,
  failed: (reason) => `失败：${reason}`,
  succeeded: '完成',
  exitCode: (code) => `退出码 ${code}`,
  moreLines: (count) => `…… 还有 ${count} 行`,
  outOfSight: '先前已完成，结果已不在视野内',
  notOffered: (tool) => `未执行：这里没有提供工具 ${tool}`,
  stopped: (commands) => `到此停止。未执行：${commands.join('；')}。`,
  notUnderstood: (lines) => `没有看懂：${lines.join('；')}。离线模型只执行命令，输入“帮助”可查看。`,
  noSummaries: '离线模型不写摘要。',
}
