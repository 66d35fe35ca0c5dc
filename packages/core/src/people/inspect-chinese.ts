import type { InspectStrings } from './inspect-strings.ts'

/** What `plimsoll inspect` and the replay of one session say, in Chinese. */
export const inspectChinese: InspectStrings = {
  nothingToReplay: '没有可重放的内容：这个会话里没有向模型发过请求。',
  cannotReplay: (reason) => `无法重放这个会话（${reason}）。`,
  page: {
    title: 'Plimsoll 检视器',
    needsScript: '此页面需要 JavaScript。它不加载也不发送任何内容。',
    cutText: (characters) => `[……此处还有 ${characters} 个字符，未收入本页……]`,
    redacted: (secrets, homes) =>
      `已移除能识别出的密钥、令牌和密码：${secrets} 处；主目录名称显示为 ~：${homes} 处。转发前请自行通读一遍。`,
    notRedacted: '本页没有移除任何内容：密钥、密码和路径都原样保留。请勿转发。',
    shortened: (texts) => `只收入开头和结尾的长文本：${texts} 处。`,
    fewerPictures: (pictures) => `因空间不足未收入的图片：${pictures} 张。`,
    fewerRequests: (requests) => `只有数字、没有收入消息内容的请求：${requests} 次。`,
    noData: '本页没有携带会话。',
    damaged: '本页携带的会话已损坏。请重新生成页面。',
    otherVersion: (version) => `本页由另一个版本的 Plimsoll 生成（${version}）。请重新生成。`,
    requestNotHere: '这次请求的消息太长，未收入本页。可用 plimsoll serve 查看。',
    editNotHere: '这处修改的内容未收入本页。可用 plimsoll serve 查看。',
    pictureNotHere: '这张图片未收入本页。',
    noReplay: '本页没有收入这些策略的重放结果。可用 plimsoll serve 计算。',
  },
}
