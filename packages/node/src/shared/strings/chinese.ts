import { modelStrings } from '@plimsoll/core/text'
import type { english } from './english.ts'

const agentErrors: (typeof english)['agentErrors'] = {
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
}

const notices: (typeof english)['notices'] = {
  summary_timed_out: modelStrings.summaryTimedOut,
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
}

const turn: (typeof english)['turn'] = {
  exitCode: (code) => `退出码 ${code}`,
  lines: (count) => `${count} 行`,
  matches: (count) => `${count} 处匹配`,
  files: (count) => `${count} 个文件`,
  savedTo: (path) => `已保存到 ${path}`,
  nothingPrinted: '无输出',
  requests: (count) => `${count} 次请求`,
  turnTokens: (prompt, answer) => `输入 ${prompt}，输出 ${answer}`,
  readFromCache: (share) => `${share} 来自缓存`,
  turnOutcome: { cancelled: '已停止', failed: '失败', stopped: '未完成' },
  compactionNot: { unchanged: '没有折叠任何内容', cancelled: '压缩已停止，未作任何更改' },
  doing: {
    waiting: '等待模型',
    thinking: '思考中',
    answering: '回答中',
    running: '运行中',
    compacting: '正在把较早的轮次压缩为摘要，请稍候',
  },
  offlineModel: '离线模型',
  measured: '实测',
  estimated: '估算',
  modes: {
    'read-only': '只查看',
    ask: '修改文件或运行命令前询问',
    'accept-edits': '直接修改文件，运行命令前询问',
    auto: '从不询问',
  },
  recovering: '对话对模型来说过长；正在缩短，随后重新发送请求。',
  roundsFolded: (messages, rounds, kept) => `${rounds} 轮共 ${messages} 条消息已折叠为摘要；保留最近 ${kept} 轮`,
  written: (characters) => `已写 ${characters} 字符`,
  kept: {
    summary: '摘要由模型撰写，并已对照日志检查。',
    outline: '摘要根据日志写成，没有使用模型。',
    notice: '没有摘要；较早的轮次由一条通知代替。',
  },
  closing: (before, after, percent) => `${before} → ${after} 词元（${percent}）`,
  offline:
    '没有找到密钥，因此由内置的离线模型回答：它能执行“read 文件”“run 命令”等简单指令。设置密钥（ANTHROPIC_API_KEY、OPENAI_API_KEY 等）或 --base-url 可使用真正的模型。',
  untitled: '尚无内容',
}

const fill: (typeof english)['fill'] = {
  title: '载重线',
  categories: {
    system: '系统提示词',
    rules: '规则文件',
    tools: '工具定义',
    user: '用户',
    assistant: '助手',
    reasoning: '思考',
    calls: '工具调用',
    results: '工具结果',
    images: '图片',
    summaries: '摘要',
  },
}

const page: (typeof english)['page'] = {
  title: 'Plimsoll 检视器',
  needsScript: '此页面需要 JavaScript。它不加载也不发送任何内容。',
  cutText: (characters) => `[……此处还有 ${characters} 个字符，未收入本页……]`,
  redacted: (secrets, homes) =>
    `已移除能识别出的密钥、令牌和密码：${secrets} 处；主目录名称显示为 ~：${homes} 处。转发前请自行通读一遍。`,
  notRedacted: '本页没有移除任何内容：密钥、密码和路径都原样保留。请勿转发。',
  shortened: (texts) => `只收入开头和结尾的长文本：${texts} 处。`,
  fewerPictures: (pictures) => `因空间不足未收入的图片：${pictures} 张。`,
  fewerRequests: (requests) => `只有数字、没有收入消息内容的请求：${requests} 次。`,
  noData: '本页没有携带会话。',
  damaged: '本页携带的会话已损坏。请重新生成页面。',
  otherVersion: (version) => `本页由另一个版本的 Plimsoll 生成（${version}）。请重新生成。`,
  requestNotHere: '这次请求的消息太长，未收入本页。可用 plimsoll serve 查看。',
  editNotHere: '这处修改的内容未收入本页。可用 plimsoll serve 查看。',
  contentNotHere: '内容过大，未收入本页。',
  noReplay: '本页没有收入这些策略的重放结果。可用 plimsoll serve 计算。',
}

/** Sentences of both the terminal and the web app, in Chinese. */
export const chinese: typeof english = { agentErrors, notices, turn, fill, page }
