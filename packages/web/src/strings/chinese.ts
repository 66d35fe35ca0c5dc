import { chinese as shared } from '../../../node/src/shared/strings/chinese.ts'
import { chat } from './chinese/chat.ts'
import { diff, whatIf } from './chinese/compare.ts'
import { inspector } from './chinese/inspector.ts'
import { requests } from './chinese/requests.ts'
import { sessions } from './chinese/sessions.ts'
import { shell } from './chinese/shell.ts'
import type { english } from './english.ts'

/** What the web app says, in Chinese. */
export const chinese: typeof english = { ...shared, chat, diff, inspector, requests, sessions, shell, whatIf }
