import type * as english from './english.ts'
import type { ModelStrings } from './specification.ts'

export const reasons: typeof english.reasons = {
  lossless: '内容不变，形式更短',
  outdatedCommand: (minutes, recent) => `命令成功且已超过 ${minutes} 分钟，不在最近 ${recent} 个结果之内`,
  repeatedRead: (kept) => `该文件最新的 ${kept} 次读取已保留`,
  oldResult: (before, after) => `该结果所属的轮次已结束：${before} 字符显示为 ${after} 字符的摘要`,
  interruptedCall: '该调用没有结果；服务商不接受没有结果的调用',
  orphanResult: '该结果没有对应的调用；服务商不接受没有调用的结果',
  doubledResult: '该调用已有结果；服务商不接受第二个结果',
  strayedResult: '该结果与其调用不相邻；服务商要求紧随其后',
  binaryFiltered: (kilobytes) => `${kilobytes} KB 二进制数据已换成占位符`,
  roundsFolded: (messages, rounds, kept) => `${rounds} 轮共 ${messages} 条消息已压缩为摘要；保留最近 ${kept} 轮`,
  summariesHidden: (count) => `摘要总量超过上限，隐藏了最早的 ${count} 条摘要`,
  hidden: '被用户隐藏',
  clientAsked: '客户端通过 context_management 提出的要求',
  economy: {
    cut: (before, after) => `输出过长：${before} 字符显示为 ${after} 字符`,
    superseded: '相同的行在后面完整显示',
    repeated: '同一命令后来已成功执行',
    old: (requests) => `已超过 ${requests} 次请求，且未在使用`,
    numbers: '可以数出来的行号',
    notShown: '它所指的行已不再显示',
    shownAbove: (lines) => `${lines} 行已在前面的结果中显示`,
    written: (before, after) => `参数内容已写入文件：${before} 字符显示为 ${after} 字符`,
    reasoning: '已结束轮次的思考',
  },
  outputCut: ({ characters, maxCharacters, maxLines, kept, salientLines }) => {
    const lines = maxLines === null ? '' : `、${maxLines} ${kept === 'matches' ? '个匹配' : '行'}`
    const ends = { head: '开头', 'head-and-tail': '首尾', matches: '最前的匹配' }[kept]
    return `${characters} 字符，上限 ${maxCharacters}${lines}；保留了${ends}${salientLines === 0 ? '' : `和 ${salientLines} 行关键内容`}`
  },
  window: {
    rounds: (kept) => `请求放不下；较早的轮次已压缩，保留最近 ${kept} 轮`,
    steps: '请求放不下；当前轮次中较早的步骤已压缩',
    result: (before, after) => `请求放不下；${before} 词元的结果显示为 ${after} 词元`,
    call: (before, after) => `请求放不下；${before} 词元的旧调用显示为 ${after} 词元`,
    media: '请求放不下；图片或文件由一行文字代替',
  },
}

export const overflow: typeof english.overflow = {
  tokens: (tokens, limit) => `该请求无法放入窗口：约 ${tokens} 词元，可用 ${limit} 词元。`,
  bytes: (bytes, limit) => `该请求无法放入限额：共 ${bytes} 字节，允许 ${limit} 字节。`,
  images: (images, limit) => `该请求无法放入限额：共 ${images} 张图片，允许 ${limit} 张。`,
  whatToDo: '请缩短下列内容，把 context_window 设为模型的真实大小，换用窗口更大的模型，或在新会话中继续。',
  part: (tokens, message, why) => `${tokens} 词元${message === null ? '' : `，消息 ${message}`}：${why}`,
  why: {
    user: '用户写的内容从不改动',
    system: '系统消息从不改动',
    summary: '摘要不会再次缩短',
    assistant: '当前轮次中助手的文字会保留',
    reasoning: '服务商不接受改动过的思考内容',
    call: '无法再缩短的工具调用',
    result: '无法再缩短的工具结果',
    media: '只有服务商能读的内容块',
    overhead: '系统提示词、工具定义以及对话之外的其他内容',
  },
}

/** Chinese model text where the specification has English. */
export const model: Partial<ModelStrings> = {
  namesOriginals: true,
  interruptedCall: '错误：工具调用被中断，没有结果',
  binaryFiltered: (kilobytes) => `[已过滤二进制数据：${kilobytes}KB]`,
  largeDataFiltered: (kilobytes) => `[已过滤大量数据：${kilobytes}KB]`,
  summaryTimedOut: '生成摘要超时，仅保留最近的历史。',
  modifiedExternally: (file) => `注意：${file} 已被外部修改。`,
  hiddenByUser: '[结果已被用户隐藏]',
  resultSummarized: (characters, handle) => `[${characters} 个字符的摘要; recall ${handle}]`,
}
