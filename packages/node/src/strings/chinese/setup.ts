import type * as english from '../english/setup.ts'

export const config: typeof english.config = {
  help: {
    config: '以 YAML 显示此处生效的设置，以及各项来自何处',
    key: '一项设置或一个部分，例如 compaction.threshold（默认：全部）',
    showOrigin: '逐项说明来源：默认值、文件与行号、环境变量或选项',
    root: '读取其中 plimsoll.yaml 的文件夹（默认：当前文件夹）',
    json: '只输出 JSON：{ "config", "origins", "warnings" }',
  },
  unknownKey: (key, near) =>
    `没有 ${key} 这项设置。${near === null ? '用 plimsoll config 查看全部设置。' : `您是不是要找 ${near}？`}`,
  secret: '（已隐藏）',
}

export const statusline: typeof english.statusline = {
  help: { statusline: '用一行说明当前会话，供 Claude Code 的状态栏或命令提示符使用', json: '只以 JSON 输出同样的内容' },
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

export const completion: typeof english.completion = {
  help: { completion: '输出一段脚本，让 shell 能补全命令、选项、会话和智能体', shell: (shells) => `shell 名称：${shells}` },
  badShell: (shells, came) => `应为 ${shells} 之一，实际为 ${came}`,
}
