import { hookedAgents, readHookCall } from '../../../packages/node/src/cli/hook/hook-agents.ts'
import { holds, type Target } from '../target.ts'

/** What an agent, or whoever imitates one, says to the hook after a tool. */
export const hookTarget: Target = {
  name: 'hook',
  form: 'json',
  choices: 1,
  longest: 6000,
  covers: ['packages/node/src/cli/hook/hook-agents.ts'],
  seeds: () => [
    '{"session_id":"s","cwd":"/srv","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t","tool_response":{"stdout":"a\\nb","stderr":"","persistedOutputPath":"/tmp/x","persistedOutputSize":3}}',
    '{"hook_event_name":"PostToolUse","tool_name":"mcp__a__b","tool_response":[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"two"}]}',
    '{"hook_event_name":"PostToolUse","tool_name":"mcp__a__b","tool_response":{"content":"x","persistedOutputPath":"/etc/passwd"}}',
    '{"hook_event_name":"PostToolUse","tool_name":"shell","tool_response":{"output":"x"}}',
    '{"sessionId":"s","toolName":"bash","toolArgs":"{\\"command\\":\\"make\\"}","cwd":"/","toolResult":{"resultType":"success","textResultForLlm":"Output too large to read at once (32.7 KB). Saved to: /tmp/1-copilot-tool-output-2-ab.txt\\nPreview\\n<shellId: 0 completed>"}}',
  ],
  words: ['Saved to: ', '-copilot-tool-output-', '../', '/etc/passwd', 'mcp__'],
  maxSteps: 60,
  check({ text, choices: [which = 0] }) {
    const agent = hookedAgents[which % hookedAgents.length] as (typeof hookedAgents)[number]
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return
    }
    const call = readHookCall(agent, value)
    if (call === null) return
    holds(call.stored === null || !call.tool.startsWith('mcp__'), 'no file that a tool server names')
    holds(
      agent !== 'copilot' || call.stored === null || /\d-copilot-tool-output-[\w-]+\.txt$/.test(call.stored),
      'no file with a name that Copilot does not give',
    )
    holds(
      call.texts.every((one) => typeof one === 'string'),
      'texts are strings',
    )
    const marked = call.texts.map((_, index) => `<${index}>`)
    const answer = JSON.stringify(call.answer(marked))
    holds(
      marked.every((mark) => answer.includes(mark)),
      'every text is in the answer',
    )
    const again = readHookCall(agent, { ...(value as object), ...shownBy(agent, JSON.parse(answer)) })
    if (agent !== 'codex')
      holds(again === null || again.texts.length === call.texts.length, 'an answer has the form of the result')
  },
}

function shownBy(agent: string, answer: Readonly<Record<string, Readonly<Record<string, unknown>>>>): object {
  if (agent === 'copilot') return { toolResult: answer['modifiedResult'] }
  return { tool_response: answer['hookSpecificOutput']?.['updatedToolOutput'] }
}
