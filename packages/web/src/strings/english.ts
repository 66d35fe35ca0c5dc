import { english as shared } from '../../../node/src/shared/strings/english.ts'
import { chat } from './english/chat.ts'
import { diff, whatIf } from './english/compare.ts'
import { inspector } from './english/inspector.ts'
import { requests } from './english/requests.ts'
import { sessions } from './english/sessions.ts'
import { shell } from './english/shell.ts'

/** What the web app says, in English. */
export const english = { ...shared, chat, diff, inspector, requests, sessions, shell, whatIf }
