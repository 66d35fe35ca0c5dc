import type { ServerStrings } from './server-strings.ts'

/** What the server and its commands say, in Chinese. */
export const chineseServer: ServerStrings = {
  help: { serve: '打开网页应用：对话与检视器', inspect: '查看某个会话或日志里是什么占用了窗口，或写成一个 HTML 页面' },
}
