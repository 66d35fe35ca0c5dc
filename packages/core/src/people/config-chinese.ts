import type { ConfigStrings } from './config-strings.ts'

/** What `plimsoll config` says, in Chinese. */
export const configChinese: ConfigStrings = {
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
