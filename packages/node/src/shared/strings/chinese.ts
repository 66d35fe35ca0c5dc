import { modelStrings } from '@plimsoll/core/text'
import type { english } from './english.ts'

/** `95%`, as Chinese writes it. */
export const tight = (share: string) => share.replace(' %', '%')

const agentErrors: (typeof english)['agentErrors'] = {
  CONTEXT_LENGTH_EXCEEDED: {
    message: () => '对话内容过长，已超出模型上下文限制。',
    suggestion: () => '建议新开一个会话继续对话。',
  },
  REQUEST_TOO_LARGE: {
    message: () => '请求的字节数超出服务商的限制，且无法再缩短。',
    suggestion: () => '请在新会话中继续，或省略最大的文件和图片。',
  },
  IMAGES_REFUSED: {
    message: () => '服务商拒绝了此对话中的图片。',
    suggestion: () => '请减少或缩小图片，或选择支持这些图片的模型。',
  },
  TOOL_PAIRS_REFUSED: {
    message: () => '服务商拒绝了请求：工具调用、结果与思考内容不匹配。',
    suggestion: () => '请回退到较早的消息，在新会话中继续，或选择其他模型。',
  },
  KEY_REFUSED: {
    message: () => '服务商拒绝了 API 密钥。',
    suggestion: (variable) => (variable === '' ? '请检查密钥及其权限。' : `请检查 ${variable} 中的密钥及其权限。`),
  },
  RATE_LIMITED: {
    message: (words, { tries, wait }) => {
      const facts = [...(tries > 1 ? [`已尝试 ${tries} 次`] : []), ...(wait === '' ? [] : [`请在 ${wait} 后重试`])]
      return `已达到服务商的速率限制${facts.length === 0 ? '' : `（${facts.join('；')}）`}${words === '' ? '' : `：${words}`}`
    },
    suggestion: () => '请稍后重试，选择其他模型，或检查账户的限额。',
  },
  MODEL_NOT_REACHED: {
    message: (words, { tries }) => `模型没有响应${tries > 1 ? `（已尝试 ${tries} 次）` : ''}${words === '' ? '' : `：${words}`}`,
    suggestion: () => '请检查网络连接和服务器地址，然后重试。内容不会丢失。',
  },
  MODEL_REFUSED: {
    message: (words, { isElsewhere }) =>
      `${isElsewhere ? '该地址似乎不是模型 API' : '模型拒绝了请求'}${words === '' ? '' : `：${words}`}`,
    suggestion: (_words, { isElsewhere }) =>
      isElsewhere
        ? '请检查服务器地址（--base-url 或相应的环境变量）。模型 API 的地址形如 http://localhost:8080/v1。'
        : '请检查模型名称及其设置，或选择其他模型。',
  },
}

const notices: (typeof english)['notices'] = {
  summary_timed_out: modelStrings.summaryTimedOut,
  answer_cut: '回答达到长度上限，已被截断；输入“继续”可获得其余部分。',
  calls_were_interrupted: '上一轮被中断。以下调用没有结果，但可能已经产生影响。',
  answer_was_interrupted: '上一轮在模型回答之前被中断。',
  answer_filtered: '服务商的内容过滤中断了回答。',
  max_steps: '本轮请求次数已达上限（agent.max_steps）；输入“继续”可接着执行。',
  max_cost: '下一次请求可能使会话费用超过上限（agent.max_cost 或 --max-cost）；提高上限后可继续。',
  result_not_summarized: '较长的结果未生成摘要，已改为截断。',
  tools_trouble: '部分工具无法使用。',
  summary_failed: '摘要生成失败。',
  summary_overflow: '历史内容超出了摘要模型的上下文窗口。',
  summary_empty: '返回的摘要为空。',
  summary_longer: '返回的摘要比原文还长。',
  summary_error_text: '返回的是错误信息，不是摘要。',
  summary_no_template: '返回的内容不符合摘要格式。',
  summary_not_asked: '模型连续三次未能生成摘要，本次没有请求模型。手动压缩可再次尝试。',
  summary_too_dear: '由模型生成摘要可能使会话费用超过上限（agent.max_cost 或 --max-cost），没有请求模型。',
  outline_kept: '没有生成摘要，较早的轮次改用根据日志生成的提纲。',
  recent_kept: '仅保留最近的历史。',
  compaction_ineffective: '摘要不会比原文更短，没有压缩任何内容。',
  compaction_stopped: '最近几次压缩都没有缩小上下文，本次没有尝试。可手动压缩，并减少保留的轮次。',
  files_undone: '已按你的要求恢复或重新修改这些文件。',
  retrying: '请求失败，正在重新发送。',
  answer_restarted: '回答中断，正在重新生成。',
  history_compressed: '已自动压缩对话历史，正在重新请求。',
  answer_shortened: '留给回答的空间不足，回答可能较短。',
  media_dropped: '服务商只接受更少或更小的图片和文件，请求中已省略较早的图片和文件。',
  pairs_repaired: '服务商拒绝了请求：工具调用、结果与思考内容不匹配。已自动修复。',
  silent_overflow: '模型没有读完整个对话，也没有报错。即将压缩对话。',
  damaged_session: '此会话的日志已损坏。可读取的部分会继续使用。',
  small_window: '服务器给模型的上下文窗口很小，只能容纳较短的对话。',
  kept_alive: '空闲期间已为此对话进行缓存保活。',
  keep_alive_failed: '此对话的缓存保活失败。',
}

const turn: (typeof english)['turn'] = {
  wouldFail: '此修改会失败。模型会收到：',
  exitCode: (code) => `退出码 ${code}`,
  lines: (count) => `${count} 行`,
  matches: (count) => `${count} 处匹配`,
  files: (count) => `${count} 个文件`,
  savedTo: (path) => `已保存到 ${path}`,
  nothingPrinted: '无输出',
  requests: (count) => `${count} 次请求`,
  turnTokens: (prompt, answer) => `输入 ${prompt} 词元，输出 ${answer} 词元`,
  readFromCache: (share) => `${tight(share)} 来自缓存`,
  turnOutcome: { cancelled: '已停止', failed: '失败', stopped: '未完成' },
  compactionNot: { unchanged: '没有压缩任何内容', cancelled: '压缩已停止，未作任何更改' },
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
    'read-only': '只读',
    ask: '逐次确认：修改文件或运行命令前询问',
    'accept-edits': '自动接受修改，运行命令前询问',
    auto: '全自动，从不询问',
  },
  recovering: '对话过长，超出模型的窗口。正在缩短，随后重新发送请求。',
  roundsFolded: (messages, rounds, kept) => `${rounds} 轮共 ${messages} 条消息已压缩为摘要；保留最近 ${kept} 轮`,
  written: (characters) => `已生成 ${characters} 个字符`,
  kept: {
    summary: '摘要由模型生成，并已对照日志检查。',
    outline: '摘要根据日志生成，没有使用模型。',
    notice: '没有摘要；较早的轮次由一条通知代替。',
  },
  closing: (before, after, percent) => `${before} → ${after} 词元（${tight(percent)}）`,
  offline:
    '找不到 API 密钥，由内置的离线模型回答。它能执行“读取 文件”“运行 命令”等简单命令。要使用真正的模型，请设置密钥（ANTHROPIC_API_KEY、OPENAI_API_KEY 等）或 --base-url。',
  untitled: '尚无消息',
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
  title: 'Plimsoll 检查器',
  needsScript: '此页面需要 JavaScript。它不加载也不发送任何内容。',
  cutText: (characters) => `[……还有 ${characters} 个字符，未收入本页……]`,
  redacted: (secrets, homes) =>
    `已对识别出的密钥、令牌和密码脱敏：${secrets} 处；主目录显示为 ~：${homes} 处。分享前请通读一遍。`,
  notRedacted: '本页没有脱敏：密钥、密码和路径都原样显示。请勿分享。',
  shortened: (texts) => `只收入开头和结尾的长文本：${texts} 处。`,
  fewerPictures: (pictures) => `因空间不足未收入的图片：${pictures} 张。`,
  fewerRequests: (requests) => `只收入数字、未收入消息的请求：${requests} 次。`,
  noData: '本页不含会话。',
  damaged: '本页中的会话已损坏。请重新生成页面。',
  otherVersion: (version) => `本页由另一个版本的 Plimsoll 生成（${version}）。请重新生成。`,
  requestNotHere: '这次请求的消息太长，未收入本页。可用 plimsoll serve 查看。',
  editNotHere: '这处改动的内容未收入本页。可用 plimsoll serve 查看。',
  contentNotHere: '内容过大，未收入本页。',
  noReplay: '本页没有收入这些策略的重放结果。可用 plimsoll serve 计算。',
}

const overflowParts: (typeof english)['overflowParts'] = {
  system: () => '系统提示词',
  user: () => '你的消息',
  assistant: () => '模型的回答',
  reasoning: () => '模型的思考',
  summary: () => '摘要',
  'tool-definitions': () => '工具定义',
  call: (about) => `调用 ${about}`,
  result: (about) => `${about} 的结果`,
  media: (about) => `图片或文件（${about}）`,
  other: (about) => about,
}

/** Sentences of both the terminal and the web app, in Chinese. */
export const chinese: typeof english = { agentErrors, notices, turn, fill, overflowParts, page }
