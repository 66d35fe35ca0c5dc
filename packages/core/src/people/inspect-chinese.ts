import type { InspectStrings } from './inspect-strings.ts'

/** What `plimsoll inspect` and the replay of one session say, in Chinese. */
export const inspectChinese: InspectStrings = {
  nothingToReplay: '没有可重放的内容：这个会话里没有向模型发过请求。',
  cannotReplay: (reason) => `无法重放这个会话（${reason}）。`,
}
