import type { InspectingStrings } from './server-inspecting-strings.ts'

/** What the server says about what is looked at, in Chinese. */
export const chineseInspecting: InspectingStrings = {
  originalCut: (megabytes) => `此处只显示前 ${megabytes} MB。全文仍完整保存：可通过召回取得，或导出会话。`,
  notKept: '（网关只保存了这条消息的大小，没有保存正文。）',
  textNotKept:
    '网关只保存了大小和数字，没有保存正文：被裁剪的内容可以查看，其余只显示大小。用 --keep-text 启动网关即可同时保存正文。',
  refusals: {
    NO_SUCH_LOG: { message: '这里已没有该日志。', suggestion: '请重新载入日志列表。' },
    NO_SUCH_CONVERSATION: { message: '该日志中没有这段对话。', suggestion: '请从日志的列表中选择。' },
    NO_SUCH_REQUEST: { message: '此会话中没有这次请求。', suggestion: '请重新载入会话。' },
    NO_SUCH_CHANGE: { message: '此会话中没有这项编辑。', suggestion: '请重新载入会话。' },
    NO_SUCH_CONTENT: { message: '这份内容已丢失或损坏，或从未保存。', suggestion: null },
    NOT_A_LOG: {
      message: '该文件不是 Plimsoll 能够读取的日志。',
      suggestion: '可以读取 Claude Code、Codex、Gemini CLI、opencode 等的日志，以及 JSON 格式的消息列表。',
    },
    EMPTY_FILE: { message: '该文件是空的。', suggestion: '请另选一个文件。' },
    TOO_MANY_FILES: { message: '交给此服务器的文件过多。', suggestion: '请重新启动服务器；它不会保留这些文件。' },
    NOTHING_TO_REPLAY: { message: '这段对话无法重放。', suggestion: null },
  },
}
