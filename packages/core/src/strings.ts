/** Everything Plimsoll may put before a model. The texts are the specification's, byte for byte, whatever the user's language. */
export interface ModelStrings {
  readonly outdatedCommand: string
  readonly repeatedRead: string
  readonly interruptedCall: string
  readonly binaryFiltered: (kilobytes: string) => string
  readonly largeDataFiltered: (kilobytes: string) => string
  /** The global cap's marker. */
  readonly cutByCap: (characters: number, lines: number) => string
  /** The marker of a tool's own character limit. */
  readonly cutByTool: (characters: number) => string
  /** The marker of a line limit, a line of its own. */
  readonly cutByLines: (lines: number) => string
  readonly matchesShown: (shown: number, total: number) => string
  /** Said when a model took too long over a summary. */
  readonly summaryTimedOut: string
  /** Follows a user's text that mentions files: each with its `@`, and how many more there are. */
  readonly filesMentioned: (mentions: readonly string[], more: number) => string
  /** Follows a file read again after somebody else changed it. */
  readonly modifiedExternally: (file: string) => string
}

/** The specification's own strings. */
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
}

/** Log sentences; those the specification gives are its own, byte for byte. */
export const logStrings = {
  commandsTrimmed: (count: number) => `精简了 ${count} 个过时命令返回内容`,
  readsTrimmed: (count: number) => `精简了 ${count} 个历史文件读取内容`,
  fileReadsTrimmed: (file: string, count: number) => `精简了 ${file} 的 ${count} 次历史读取`,
  readWithoutPath: (message: string) => `无法提取文件路径: 消息 ${message}`,
  resultCut: (before: number, after: number) => `工具结果被截断: ${before} -> ${after} 字符`,
  toolCut: (tool: string, before: number, after: number) =>
    `工具 ${tool} 输出被截断: ${before} -> ${after} 字符 (${((1 - after / before) * 100).toFixed(1)}% 减少)`,
} as const
