import type { server as english } from '../english/server.ts'

const inspecting: (typeof english)['inspecting'] = {
  originalCut: (megabytes) => `此处只显示前 ${megabytes} MB。全文已保存：可取回，或导出会话。`,
  notKept: '（网关只保存了这条消息的大小，没有保存正文。）',
  damagedRows: (count) => `存储中有 ${count} 行已损坏，未显示。请从备份恢复存储。`,
  textNotKept: '网关只保存了精简掉的正文，其余消息只显示大小。用 --keep-text 启动网关可保存全部正文。',
  refusals: {
    NO_SUCH_LOG: { message: '找不到该日志。', suggestion: '请重新加载日志列表。' },
    NO_SUCH_CONVERSATION: { message: '在该日志中找不到这段对话。', suggestion: '请从列表中选择。' },
    NO_SUCH_REQUEST: { message: '在此会话中找不到这次请求。', suggestion: '请重新加载会话。' },
    NO_SUCH_CHANGE: { message: '在此会话中找不到这处改动。', suggestion: '请重新加载会话。' },
    NO_SUCH_CONTENT: { message: '这份内容已丢失或损坏，或从未保存。', suggestion: null },
    NOT_A_LOG: {
      message: '该文件不是 Plimsoll 能够读取的日志。',
      suggestion: '请选择 Claude Code、Codex、Gemini CLI、opencode 等智能体的日志，或 JSON 格式的消息列表。',
    },
    EMPTY_FILE: { message: '该文件是空的。', suggestion: '请另选一个文件。' },
    TOO_MANY_FILES: { message: '上传到此服务器的文件过多。', suggestion: '请重新启动服务器；它不保留上传的文件。' },
    NOTHING_TO_REPLAY: { message: '这段对话无法重放。', suggestion: null },
  },
}

const sessions: (typeof english)['sessions'] = {
  BUSY: { message: '智能体正在此会话中工作。', suggestion: '请等它完成，或先停止它。' },
  NO_QUESTION: { message: '这次调用已不再等待确认。', suggestion: null },
  NOTHING_TO_RESUME: { message: '没有可继续的内容：上一次回答已完整。', suggestion: '请发送新消息。' },
  NOTHING_TO_FOLD: { message: '没有可压缩的内容：所有轮次都是最近的。', suggestion: null },
  NOTHING_TO_UNDO: { message: '在此对话中，智能体的编辑工具没有修改过文件。', suggestion: null },
  NOTHING_SAID: { message: '没有可发送的文字。', suggestion: '请先输入内容。' },
  NO_SUCH_COMMAND: { message: '未知的会话操作。', suggestion: null },
  NO_SUCH_EDIT: { message: '这处改动在此会话中未生效。', suggestion: '它可能已撤销；请重新加载会话。' },
  NO_SUCH_MESSAGE: { message: '这条消息已不在当前对话中。', suggestion: '请重新加载会话，查看最新状态。' },
  NO_SUCH_RESULT: { message: '此会话中没有这次调用的结果。', suggestion: null },
  NO_SUCH_BLOB: { message: '此会话中没有这份内容，或者它已丢失或损坏。', suggestion: null },
  NO_SUCH_FORMAT: { message: '会话无法以该格式导出。', suggestion: null },
  BAD_REQUEST: { message: '请求的格式不正确。', suggestion: '请重新加载页面。' },
  TOO_LONG_TO_EXPORT: { message: '此会话过长，无法以该格式导出。', suggestion: '请改为导出日志，日志没有长度限制。' },
}

export const server: typeof english = {
  help: { serve: '打开网页应用：对话与检查器', inspect: '显示会话或日志的上下文窗口占用，或生成一个 HTML 页面' },
  sessions,
  inspecting,
  serve: {
    help: {
      port: '监听此端口（默认：7477，被占用时取下一个空闲端口）',
      host: '监听此地址（默认：127.0.0.1，仅本机可访问）',
      public: '允许监听其他设备可访问的地址；须同时设置访问令牌',
      token: '要求请求提供此访问令牌（也可设置 PLIMSOLL_SERVER_TOKEN；默认：使用自己的令牌，保存在状态目录中）',
      open: '在浏览器中打开网页应用',
      json: '以一行 JSON 输出地址、端口和访问令牌',
    },
    badPort: (given) => `--port：应为 0 到 65535 之间的数字，实际为 ${given}`,
    badHost: (given) => `--host：应为本机的地址或主机名，实际为 ${given}`,
    needsPublic: (host) =>
      `--host ${host}：其他设备可以访问这个地址，持有访问令牌的人可以在本机执行命令。如需允许，请加上 --public 和 --token；否则请去掉 --host。`,
    needsToken: (host) => `--host ${host}：使用 --public 时须设置访问令牌。请设置 PLIMSOLL_SERVER_TOKEN，或加上 --token。`,
    badToken: (source) => `${source}：应为 16 到 200 个字母、数字、- 或 _`,
    portTaken: (port) => `端口 ${port} 已被占用。请用 --port 指定其他端口，或去掉 --port 以使用下一个空闲端口。`,
    portsTaken: (first, last) => `端口 ${first} 到 ${last} 均已被占用。请用 --port 指定其他端口。`,
    otherPort: (taken, port) => `端口 ${taken} 已被占用，改用 ${port}。`,
    cannotListen: (host, port, reason) => `无法监听 ${host} 的端口 ${port}：${reason}`,
    listenReason: (code) => {
      if (code === 'EACCES') return '1024 以下的端口由系统保留（EACCES）；请用 --port 指定其他端口'
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
        return `本机没有这个地址（${code}）；请检查 --host`
      return code
    },
    ready: (address) => `Plimsoll 已启动：${address}`,
    howToStop: '按 Ctrl-C 停止，所有内容都会保存。地址中含有访问令牌：持有它的人可以在本机执行命令。',
    isPublic: '其他设备可以访问这个地址，且连接未加密。请只在可信的网络中使用。',
    closing: '正在停止。再按一次 Ctrl-C 立即停止。',
    notOpened: '无法打开浏览器。请自行打开上面的地址。',
    notBuilt: '网页应用尚未构建。请在 Plimsoll 的目录中运行“npm run build”，然后重新启动。',
    fault: (where) => `一次请求因 Plimsoll 的 bug 失败，位置：${where}。`,
  },
  refusals: {
    NO_TOKEN: { message: '请求缺少访问令牌。', suggestion: '请打开“plimsoll serve”输出的完整地址，包括 # 之后的内容。' },
    WRONG_TOKEN: {
      message: '访问令牌无效。',
      suggestion: '请打开“plimsoll serve”最近一次输出的完整地址，包括 # 之后的内容。',
    },
    WRONG_HOST: { message: '请求中的主机名不是这个服务器的。', suggestion: '请打开“plimsoll serve”输出的地址。' },
    WRONG_ORIGIN: {
      message: '请求来自其他网站；只有网页应用可以发送请求。',
      suggestion: '请打开“plimsoll serve”输出的地址。',
    },
    WRONG_TYPE: { message: '写操作的 Content-Type 必须为 application/json。', suggestion: null },
    NO_LENGTH: { message: '请求缺少 Content-Length 标头。', suggestion: null },
    NO_SUCH_ADDRESS: { message: '这个地址没有内容。', suggestion: null },
    CLOSING: { message: '服务器正在停止。', suggestion: '请用“plimsoll serve”重新启动。' },
    UNEXPECTED: { message: '请求因 Plimsoll 的 bug 失败。已保存的内容不受影响。', suggestion: '请重试，或重新加载页面。' },
    TOO_LARGE: { message: (max) => `请求过大：上限为 ${max}。`, suggestion: null },
  },
}
