import { chinese as shared } from '../../shared/strings/chinese.ts'
import type { view as english } from '../english/view.ts'

export const view: typeof english = {
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
  closing: shared.turn.closing,
  conversations: (count, shown) => `文件含 ${count} 段对话，当前显示第 ${shown} 段；用 --conversation N 选择。`,
  skippedLines: (count, line, reason) =>
    count === 1
      ? `已跳过第 ${line} 行：${reason}。plimsoll repair 可将这样的文件修复成一份副本。`
      : `已跳过 ${count} 行，首行为第 ${line} 行：${reason}。plimsoll repair 可将这样的文件修复成一份副本。`,
  damagedCompactions: (count, line) =>
    count === 1
      ? `第 ${line} 行的压缩所保留的消息或摘要不在日志中，因此未显示。`
      : `${count} 次压缩所保留的消息或摘要不在日志中，因此未显示；首次在第 ${line} 行。`,
  skipReasons: {
    'not-json': '不是 JSON',
    'not-utf8': '不是 UTF-8 文本',
    'too-long': '过长，无法读取',
    'too-deep': '嵌套过深',
    'not-an-object': '不是对象',
    'no-message': '消息没有内容',
    repeated: '与前面某行的 id 相同',
    'cut-off': '文件从这里起被截断或损坏',
  },
  leftOut: (abandoned, sidechains) => `未显示：已离开的分支上有 ${abandoned} 条消息，子智能体有 ${sidechains} 条消息。`,
  sentTooMuch: (requests, times) =>
    `在连续 ${requests} 个请求中，从该日志读到的消息是服务商所报 token 数的 ${times} 倍。其中一部分很可能并未发送。`,
  sentTooLittle: (requests, times) =>
    `在连续 ${requests} 个请求中，服务商所报的 token 数是从该日志读到的消息的 ${times} 倍。很可能缺少一部分消息。`,
}
