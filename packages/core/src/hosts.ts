/** For adapters and gateways that run many conversations. @packageDocumentation */
export { conversations } from './conversations.ts'
export { isSameDecision } from './edit.ts'
export { asShown } from './engine/as-shown.ts'
export { type LogRecord, logRecords } from './engine/log-records.ts'
export { stateAfter } from './engine/prepare.ts'
export type { HostRule } from './policies/host-rules.ts'
export type { ReportedEdit } from './report.ts'
