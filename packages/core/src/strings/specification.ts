/** All text Plimsoll inserts for a model. The defaults are the specification's, byte for byte, in any user language. */
export interface ModelStrings {
  readonly outdatedCommand: string
  readonly repeatedRead: string
  readonly interruptedCall: string
  readonly binaryFiltered: (kilobytes: string) => string
  readonly largeDataFiltered: (kilobytes: string) => string
  readonly cutByCap: (characters: number, lines: number) => string
  readonly cutByTool: (characters: number) => string
  /** Marks a line limit, on a separate line. */
  readonly cutByLines: (lines: number) => string
  readonly matchesShown: (shown: number, total: number) => string
  readonly summaryTimedOut: string
  /** Follows a user's text that mentions files: each with its `@`, and the number of further ones. */
  readonly filesMentioned: (mentions: readonly string[], more: number) => string
  /** Follows a file that was changed by someone else since the last read. */
  readonly modifiedExternally: (file: string) => string
  readonly summarizeResult: (maxCharacters: number, content: string) => string
  /** Ends a summary that replaces a result: its original length, and how to recall it. */
  readonly resultSummarized: (characters: number, handle: string) => string
  /** Instead of a result that the user has hidden. */
  readonly hiddenByUser: string
  readonly imageTimedOut: string
  /** Whether a placeholder for a whole result or binary data names the handle of its original. Default: false, as in the documents. */
  readonly namesOriginals?: boolean
}

export const modelStrings: ModelStrings = {
  outdatedCommand: '此命令返回内容已过时',
  repeatedRead: '[该文件的历史读取内容已压缩,请参看最新读取结果]',
  interruptedCall: 'Error: tool call was interrupted, no result',
  binaryFiltered: (kilobytes) => `[BINARY_DATA_FILTERED: ${kilobytes}KB]`,
  largeDataFiltered: (kilobytes) => `[LARGE_DATA_FILTERED: ${kilobytes}KB]`,
  cutByCap: (characters, lines) => `\n\n... [截断了 ${characters} 字符 / ${lines} 行] ...\n\n`,
  cutByTool: (characters) => `\n\n... [截断 ${characters} 字符] ...\n\n`,
  cutByLines: (lines) => `... [截断 ${lines} 行] ...`,
  matchesShown: (shown, total) => `\n... [显示前${shown}个结果，共${total}个] ...\n`,
  summaryTimedOut: 'Summary generation timed out, keeping recent history only.',
  filesMentioned: (mentions, more) => {
    const named = more > 0 ? [...mentions, `(and ${more} more…)`] : mentions
    const files = mentions.length + more === 1 ? 'this file' : 'these files'
    return `<system-reminder>\nThe user mentioned ${named.join(', ')}.\nYou MUST read ${files} with the Read tool before answering.\n</system-reminder>`
  },
  modifiedExternally: (file) => `Note: ${file} was modified externally.`,
  summarizeResult: (maxCharacters, content) =>
    `请将以下内容摘要到${maxCharacters}字符以内，保留关键信息：\n\n${content}\n\n要求：\n1. 保留所有重要的定义和结构\n2. 删除重复和冗余信息\n3. 保持代码片段的可读性`,
  resultSummarized: (characters, handle) => `[summary of ${characters} characters; recall ${handle}]`,
  hiddenByUser: '[result hidden by the user]',
  imageTimedOut:
    '图片生成超时。\n\nFLUX 模型生成一张图片通常需要 30-60 秒。\n如果持续超时，可能是：\n1. 网络连接不稳定\n2. API 服务繁忙\n\n建议稍后重试，或使用更简单的描述。',
}

/** Progress of image generation; fixed by the specification. */
export const imageProgressStrings = {
  model: (name: string) => `使用模型: ${name}`,
  expanding: '优化描述中...',
  generating: '生成中（约 30-60 秒）...',
  generatingFor: (seconds: number) => `生成中... ${seconds}s`,
  complete: '生成完成',
} as const

/** Overflow events; fixed by the specification. */
export const overflowStrings = {
  message: '对话内容过长，已超出模型上下文限制。',
  suggestion: '建议新开一个会话继续对话。',
  historyCompressed: '已自动压缩对话历史，请重试',
} as const

/** Log messages; some are fixed by the specification. */
export const logStrings = {
  commandsTrimmed: (count: number) => `精简了 ${count} 个过时命令返回内容`,
  readsTrimmed: (count: number) => `精简了 ${count} 个历史文件读取内容`,
  fileReadsTrimmed: (file: string, count: number) => `精简了 ${file} 的 ${count} 次历史读取`,
  readWithoutPath: (message: string) => `无法提取文件路径: 消息 ${message}`,
  resultCut: (before: number, after: number) => `工具结果被截断: ${before} -> ${after} 字符`,
  toolCut: (tool: string, before: number, after: number) =>
    `工具 ${tool} 输出被截断: ${before} -> ${after} 字符 (${((1 - after / before) * 100).toFixed(1)}% 减少)`,
} as const
