/** The rules by name, their settings, and the timings that decide when an edit takes effect. @packageDocumentation */
export { binaryFields } from './binary/filter.ts'
export { filterBinary } from './binary/filter-binary.ts'
export type {
  CacheLifetime,
  Config,
  GatewaySettings,
  McpServer,
  ModelOverride,
  OwnPrice,
  PermissionMode,
  ReasoningLevel,
  TimingName,
  TrimMode,
} from './config.ts'
export { completeConfig, defaultConfig, defaultGatewaySettings, outputReserve, trimModes } from './config.ts'
export { type FoldEdit, isSameDecision, partKey, type Reference } from './edit.ts'
export type { ToolKind } from './facts.ts'
export { countImages, describeOverflow } from './fit/request-size.ts'
export { compressOldResults } from './policies/compress-old-results.ts'
export { defaultEconomyRules } from './policies/economy/economy-rules.ts'
export { fitWindow } from './policies/fit-window.ts'
export { gatewayMode, gatewayPolicies, gentlerMode } from './policies/gateway-policies.ts'
export { bindsThinking, type HostRule, thinkingModel } from './policies/host-rules.ts'
export { limitToolOutput } from './policies/limit-tool-output.ts'
export { pairToolCalls } from './policies/pair-tool-calls.ts'
export { policyNames } from './policies/policies-named.ts'
export { finishResultSummary, planResultSummary } from './policies/result-summary.ts'
export { trimOutdatedCommands } from './policies/trim-outdated-commands.ts'
export { trimRepeatedReads } from './policies/trim-repeated-reads.ts'
export { hideItemName } from './policy.ts'
export type { ColdReason, Problem, RuleName, TimingAccount } from './report.ts'
export { type TodoEntry, todoEntries, todoEntry, todoId } from './results/todo-entries.ts'
export { hasCalls, isPaired, pairUp } from './results/tool-pairs.ts'
export type { PlacedResult } from './results/tool-results.ts'
export { toolRules } from './results/tools.ts'
export { maxStoredBytes } from './results/transcript.ts'
export { keepAliveAfter, keptAlive, settleKeptAlive } from './timing/keep-alive.ts'
export { emptyLedger, type Ledger } from './timing/ledger.ts'
export { isCold, momentOf } from './timing/moment.ts'
export { isThought } from './timing/thoughts.ts'
