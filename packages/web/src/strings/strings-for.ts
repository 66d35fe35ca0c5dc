import { chinese as sharedChinese } from '../../../node/src/shared/strings/chinese.ts'
import { english as sharedEnglish } from '../../../node/src/shared/strings/english.ts'
import { isChinese } from '../../../node/src/shared/strings/is-chinese.ts'
import * as chineseChat from './chinese/chat.ts'
import * as chineseCompare from './chinese/compare.ts'
import * as chineseInspector from './chinese/inspector.ts'
import * as chineseRequests from './chinese/requests.ts'
import * as chineseShell from './chinese/shell.ts'
import * as englishChat from './english/chat.ts'
import * as englishCompare from './english/compare.ts'
import * as englishInspector from './english/inspector.ts'
import * as englishRequests from './english/requests.ts'
import * as englishShell from './english/shell.ts'

const english = { ...sharedEnglish, ...englishChat, ...englishCompare, ...englishInspector, ...englishRequests, ...englishShell }

/** The strings of the web app, by topic. The Chinese table has the type of the English one. */
export type Strings = typeof english

const chinese: Strings = {
  ...sharedChinese,
  ...chineseChat,
  ...chineseCompare,
  ...chineseInspector,
  ...chineseRequests,
  ...chineseShell,
}

/** The strings of the web app: Chinese for `zh…`, else English. */
export function stringsFor(locale: string | null): Strings {
  return isChinese(locale) ? chinese : english
}
