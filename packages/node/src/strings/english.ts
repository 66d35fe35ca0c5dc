import { english as shared } from '../shared/strings/english.ts'

// All sentences of the node package in English, by topic: commands, chat, gateway, server and replay.
export * from './english/agent.ts'
export * from './english/chat.ts'
export * from './english/command.ts'
export * from './english/gateway.ts'
export * from './english/inspect.ts'
export * from './english/replay.ts'
export * from './english/requests.ts'
export * from './english/server.ts'
export * from './english/sessions.ts'
export * from './english/setup.ts'
export const { agentErrors, notices, turn, fill, page } = shared
export const language: string = 'en'
