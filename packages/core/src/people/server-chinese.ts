import { inspectChinese } from './inspect-chinese.ts'
import { chineseInspecting } from './server-inspecting-chinese.ts'
import { chineseSessionRefusals } from './server-sessions-chinese.ts'
import type { ServerStrings } from './server-strings.ts'

/** What the server and its commands say, in Chinese. */
export const chineseServer: ServerStrings = {
  inspect: inspectChinese,
  help: { serve: '打开网页应用：对话与检视器', inspect: '查看某个会话或日志里是什么占用了窗口，或写成一个 HTML 页面' },
  sessions: chineseSessionRefusals,
  inspecting: chineseInspecting,
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
    NO_TOKEN: {
      message: '这个请求没有携带令牌。',
      suggestion: '请打开“plimsoll serve”输出的完整地址，包括 # 之后的内容。',
    },
    WRONG_TOKEN: {
      message: '这个令牌不属于这个服务器；每次启动都会生成新的令牌。',
      suggestion: '请打开“plimsoll serve”最近一次输出的完整地址，包括 # 之后的内容。',
    },
    WRONG_HOST: {
      message: '请求中的主机名不属于这个服务器。',
      suggestion: '请打开“plimsoll serve”输出的地址。',
    },
    WRONG_ORIGIN: {
      message: '这个请求来自其他网站，而只有网页应用本身可以发出请求。',
      suggestion: '请打开“plimsoll serve”输出的地址。',
    },
    WRONG_TYPE: { message: '会更改内容的请求，类型必须是 application/json。', suggestion: null },
    NO_LENGTH: { message: '请求必须说明自己的长度（content-length）。', suggestion: null },
    NO_SUCH_ADDRESS: { message: '这个地址没有任何内容。', suggestion: null },
    CLOSING: { message: '服务器正在关闭。', suggestion: '请用“plimsoll serve”重新启动。' },
    UNEXPECTED: {
      message: '由于 Plimsoll 的缺陷，请求失败了。已保存的内容不受影响。',
      suggestion: '请重试，或重新加载页面。',
    },
    TOO_LARGE: { message: (most) => `请求过大：最多 ${most}。`, suggestion: null },
  },
}
