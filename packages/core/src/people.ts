import { chinese } from './people/chinese.ts'
import { english } from './people/english.ts'
import type { NoticeCode, PeopleStrings } from './people/people-strings.ts'
import { modelStrings } from './strings.ts'

export type { ChatCommandName, ChatStrings } from './people/chat-strings.ts'
export type { GatewayStrings } from './people/gateway-strings.ts'
export type { InspectPageStrings, InspectScreenStrings, InspectStrings } from './people/inspect-strings.ts'
export type { OfflineModelStrings } from './people/offline-model-strings.ts'
export type { OverviewCategory, OverviewStrings } from './people/overview-strings.ts'
export type {
  AgentErrorCode,
  HeavyReason,
  JsonExpectation,
  NoticeCode,
  OverflowStrings,
  PeopleStrings,
  ReasonStrings,
  SessionStrings,
  SkipReason,
  TroubleStrings,
  ViewStrings,
} from './people/people-strings.ts'
export type { RepairStrings } from './people/repair-strings.ts'
export type { ReplayStrings } from './people/replay-strings.ts'
export type { RequestCommandStrings } from './people/request-command-strings.ts'
export type { ServerStrings } from './people/server-strings.ts'
export type { SessionCommandStrings } from './people/session-command-strings.ts'
export type { StatuslineStrings } from './people/statusline-strings.ts'
export type { WebStrings } from './people/web-strings.ts'

/** What is said to people in a language: Chinese for `zh…`, else English. */
export function peopleStrings(locale: string | null): PeopleStrings {
  return locale?.toLowerCase().startsWith('zh') === true ? chinese : english
}

/** The sentence of a notification. One is the specification's, and the same in every language. */
export function noticeText(code: NoticeCode, locale: string | null): string {
  return code === 'summary_timed_out' ? modelStrings.summaryTimedOut : peopleStrings(locale).notices[code]
}
