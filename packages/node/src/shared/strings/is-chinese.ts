/** Whether a locale is Chinese, such as `zh`, `zh-CN` or `zh_CN.UTF-8`. */
export function isChinese(locale: string | null): boolean {
  return locale?.toLowerCase().startsWith('zh') === true
}
