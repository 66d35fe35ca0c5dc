import { recallTool, type Tokenizer } from '@plimsoll/core'
import { systemPrompt } from '../agent/request/system-prompt.ts'
import type { PolicySet } from './policy-set.ts'

/** What stands before the messages in every request as it was recorded: prompt and tool definitions. */
export const overheadTokens = 20_000

/** The same for a policy set: whoever lets the model have things back has to tell it so, and pays for that in every request. */
export function overheadOf({ canRecall }: Pick<PolicySet, 'canRecall'>, tokens: Tokenizer): number {
  return canRecall === true ? overheadTokens + recallTokens(tokens) : overheadTokens
}

/** The definition of the recall tool, and what the agent's own prompt says of it. */
function recallTokens(tokens: Tokenizer): number {
  const { name, description, inputSchema } = recallTool
  const prompt = (tools: readonly { readonly name: string }[]) =>
    tokens.count(systemPrompt({ root: '/', platform: 'linux', tools }))
  return tokens.count(JSON.stringify({ name, description, input_schema: inputSchema })) + prompt([recallTool]) - prompt([])
}
