import type { server as english } from '../english/server.ts'

const inspecting: (typeof english)['inspecting'] = {
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

const sessions: (typeof english)['sessions'] = {
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

export const server: typeof english = {
  help: { serve: '打开网页应用：对话与检视器', inspect: '查看某个会话或日志里是什么占用了窗口，或写成一个 HTML 页面' },
  sessions,
  inspecting,
  serve: {
    help: {
      port: '监听的端口（默认：7477，被占用时取下一个空闲端口）',
      host: '监听的地址（默认：127.0.0.1，仅本机可访问）',
      public: '允许其他机器可访问的地址；同时必须给出令牌',
      token: '请求必须携带的令牌，也可用 PLIMSOLL_SERVER_TOKEN 设置（默认：每次启动新生成）',
      open: '在浏览器中打开网页应用',
      json: '以一行 JSON 输出地址、端口和令牌',
    },
    badPort: (given) => `--port：应为 0 到 65535 之间的数字，实际为 ${given}`,
    badHost: (given) => `--host：应为本机的地址或名称，实际为 ${given}`,
    needsPublic: (host) =>
      `--host ${host}：其他机器可以访问这个地址，而持有令牌的人可以在这里执行命令；如果确实需要，请加上 --public 和 --token，否则请去掉 --host`,
    needsToken: (host) => `--host ${host}：使用 --public 时必须自行给出令牌；请设置 PLIMSOLL_SERVER_TOKEN，或加上 --token`,
    badToken: (source) => `${source}：应为 16 到 200 个字母、数字、- 或 _`,
    portTaken: (port) => `端口 ${port} 已被其他程序占用；请用 --port 指定其他端口，或去掉该选项以使用下一个空闲端口`,
    portsTaken: (first, last) => `端口 ${first} 到 ${last} 均已被其他程序占用；请用 --port 指定其他端口`,
    otherPort: (taken, port) => `端口 ${taken} 已被其他程序占用，改用 ${port}。`,
    cannotListen: (host, port, reason) => `无法监听 ${host} 的端口 ${port}：${reason}`,
    listenReason: (code) => {
      if (code === 'EACCES') return '1024 以下的端口由系统保留（EACCES）；请用 --port 指定其他端口'
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
        return `本机没有这个地址（${code}）；请检查 --host`
      return code
    },
    ready: (address) => `Plimsoll 已启动：${address}`,
    howToStop: '按 Ctrl-C 结束，所有内容都会保留。地址中含有令牌：持有它的人可以在本机执行命令。',
    isPublic: '其他机器可以访问这个地址，且连接未加密：请只在可信的网络中使用。',
    closing: '正在关闭；再按一次 Ctrl-C 立即结束。',
    notOpened: '无法打开浏览器；请自行打开上面的地址。',
    notBuilt: '网页应用尚未构建。请在 Plimsoll 的文件夹中运行“npm run build”，然后重新启动。',
    fault: (where) => `由于 Plimsoll 的缺陷，一个请求失败了，位置：${where}。`,
  },
  refusals: {
    NO_TOKEN: { message: '这个请求没有携带令牌。', suggestion: '请打开“plimsoll serve”输出的完整地址，包括 # 之后的内容。' },
    WRONG_TOKEN: {
      message: '这个令牌不属于这个服务器；每次启动都会生成新的令牌。',
      suggestion: '请打开“plimsoll serve”最近一次输出的完整地址，包括 # 之后的内容。',
    },
    WRONG_HOST: { message: '请求中的主机名不属于这个服务器。', suggestion: '请打开“plimsoll serve”输出的地址。' },
    WRONG_ORIGIN: {
      message: '这个请求来自其他网站，而只有网页应用本身可以发出请求。',
      suggestion: '请打开“plimsoll serve”输出的地址。',
    },
    WRONG_TYPE: { message: '会更改内容的请求，类型必须是 application/json。', suggestion: null },
    NO_LENGTH: { message: '请求必须说明自己的长度（content-length）。', suggestion: null },
    NO_SUCH_ADDRESS: { message: '这个地址没有任何内容。', suggestion: null },
    CLOSING: { message: '服务器正在关闭。', suggestion: '请用“plimsoll serve”重新启动。' },
    UNEXPECTED: { message: '由于 Plimsoll 的缺陷，请求失败了。已保存的内容不受影响。', suggestion: '请重试，或重新加载页面。' },
    TOO_LARGE: { message: (most) => `请求过大：最多 ${most}。`, suggestion: null },
  },
}
