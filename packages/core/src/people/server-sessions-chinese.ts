import type { SessionRefusalStrings } from './server-sessions-strings.ts'

/** What the server says about sessions, in Chinese. */
export const chineseSessionRefusals: SessionRefusalStrings = {
  BUSY: { message: '智能体正在此会话中工作。', suggestion: '请等它完成，或先将其停止。' },
  NO_QUESTION: { message: '这次调用已不再等待答复。', suggestion: null },
  NOTHING_TO_RESUME: { message: '没有可以继续的内容：上一次回答已经完整。', suggestion: '请直接说明接下来要做什么。' },
  NOTHING_TO_FOLD: { message: '目前没有可压缩的内容：所有轮次都还很近。', suggestion: null },
  NOTHING_SAID: { message: '没有可发送的文字。', suggestion: '请先输入内容。' },
  NO_SUCH_COMMAND: { message: '会话没有这样的操作。', suggestion: null },
  NO_SUCH_EDIT: { message: '此会话中没有正在生效的同名编辑。', suggestion: '它可能已被撤回；请重新载入会话。' },
  NO_SUCH_MESSAGE: { message: '这条消息已不在当前对话中。', suggestion: '请重新载入会话，查看最新状态。' },
  NO_SUCH_RESULT: { message: '此会话中没有这次调用的结果。', suggestion: null },
  NO_SUCH_BLOB: { message: '此会话中没有这份内容，或者它已丢失或损坏。', suggestion: null },
  NO_SUCH_FORMAT: { message: '会话无法以该格式导出。', suggestion: null },
  BAD_REQUEST: { message: '请求的格式与服务器所期望的不符。', suggestion: '请重新载入页面。' },
  TOO_LONG_TO_EXPORT: { message: '此会话过长，无法以该格式写成一份文本。', suggestion: '请改为导出日志格式，它没有长度限制。' },
}
