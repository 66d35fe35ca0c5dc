/** For adapters and gateways that run many conversations, or see one result at a time. @packageDocumentation */
export { conversations } from './conversations.ts'
export { asShown } from './engine/as-shown.ts'
export { type LogRecord, logRecords } from './engine/log-records.ts'
export { stateAfter } from './engine/prepare.ts'
export { shortenResult, summariseHistory, trimResults } from './host-results.ts'
export type { ReportedEdit } from './report.ts'
