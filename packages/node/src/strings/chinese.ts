import { chinese as shared } from '../shared/strings/chinese.ts'

// All sentences of the node package in Chinese.
export * from './chinese/agent.ts'
export * from './chinese/chat.ts'
export * from './chinese/command.ts'
export * from './chinese/gateway.ts'
export * from './chinese/inspect.ts'
export * from './chinese/replay.ts'
export * from './chinese/requests.ts'
export * from './chinese/server.ts'
export * from './chinese/sessions.ts'
export * from './chinese/setup.ts'
export const { agentErrors, notices, turn, fill, page } = shared
export const language: string = 'zh'
