/**
 * Keeps an LLM agent's context under the load line. To begin with: `createConversation` trims the requests of a conversation, `codecs` are
 * their formats, `economyPolicies` and `specPolicies` the rules, `recallTool` gives a model back what was cut, `Report` says what was
 * done; `Policy` and `ToolRules` are for rules and tools of your own; `trimMessages` is for one list, once; `buildView` is the engine.
 *
 * @packageDocumentation
 */
export type { PartialConfig } from './config.ts'
export type { Conversation, ConversationOptions, PreparedRequest, RequestConversation } from './conversation.ts'
export { createConversation, createTrimmer } from './conversation.ts'
export { perItem, perList } from './derive.ts'
export { applyEdits, type Edit, type ReplaceEdit } from './edit.ts'
export { type BuiltView, buildView } from './engine/build-view.ts'
export type { ConversationState, Prepared } from './engine/prepare.ts'
export type { RequestFacts } from './engine/request-facts.ts'
export type { Facts, Tokenizer, ToolRules } from './facts.ts'
export { classifyFailure } from './failure/classify-failure.ts'
export { ContextLengthExceededError } from './failure/context-length-error.ts'
export type { Message, Part, ToolCallPart, ToolResultPart } from './message.ts'
export { callInput, resultText, withShownText } from './message.ts'
export { modelFacts, withReportedLimit } from './models/model-facts.ts'
export { createEconomyPolicies, economyPolicies } from './policies/economy-policies.ts'
export { policiesNamed } from './policies/policies-named.ts'
export { specPolicies } from './policies/spec-policies.ts'
export type { Policy } from './policy.ts'
export { recall } from './recall/recall.ts'
export { recallTool } from './recall/recall-tool.ts'
export type { Report } from './report.ts'
export { checkView } from './results/invariants.ts'
export { protect } from './results/protect.ts'
export { isError, toolResults } from './results/tool-results.ts'
export { handleOf } from './text/hash.ts'
export type { Timing } from './timing/timing.ts'
export { estimateTokens } from './tokens/count-tokens.ts'
export { trimMessages } from './trim-messages.ts'
export { codecs, detectCodec } from './wire/codecs.ts'
export type { Codec } from './wire/dialect.ts'
