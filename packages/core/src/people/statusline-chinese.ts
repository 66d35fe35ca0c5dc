import type { StatuslineStrings } from './statusline-strings.ts'

/** What `plimsoll statusline` says, in Chinese. */
export const statuslineChinese: StatuslineStrings = {
  help: {
    statusline: '用一行说明当前会话，供 Claude Code 的状态栏或命令提示符使用',
    json: '只以 JSON 输出同样的内容',
  },
  measured: (used, usable, share) => `实测 ${used} / ${usable}（${share}）`,
  estimated: (used, usable, share) => `估算 ${used} / ${usable}（${share}）`,
  usedOnly: (used) => `${used} 词元`,
  cacheHot: (left) => `缓存有效，还剩 ${left}`,
  cacheCold: '缓存已失效',
  minutes: (minutes) => `${minutes} 分钟`,
  seconds: (seconds) => `${seconds} 秒`,
  cost: (money) => money,
  trimmable: (tokens) => `可裁剪 ${tokens}`,
}
