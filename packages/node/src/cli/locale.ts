/** The language of the environment, such as `zh_CN.UTF-8`; null when it names none. */
export function environmentLocale(environment: Readonly<Record<string, string | undefined>>): string | null {
  for (const key of ['LC_ALL', 'LC_MESSAGES', 'LANG']) {
    const value = environment[key]
    if (value !== undefined && value !== '') return value
  }
  return null
}
