import type { CompletionStrings } from './completion-strings.ts'

/** What `plimsoll completion` says, in Chinese. */
export const completionChinese: CompletionStrings = {
  help: {
    completion: '输出一段脚本，让 shell 能补全命令、选项、会话和智能体',
    shell: (shells) => `shell 名称：${shells}`,
  },
  badShell: (shells, came) => `应为 ${shells} 之一，实际为 ${came}`,
}
