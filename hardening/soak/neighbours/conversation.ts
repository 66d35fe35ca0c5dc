/** A request in Anthropic's format with this many rounds of a call and its result, each of about 4 KB. */
export function conversationOf(name: string, rounds: number): string {
  const messages: object[] = [{ role: 'user', content: `look at it: ${name}` }]
  for (let round = 0; round < rounds; round++) {
    const lines = Array.from(
      { length: 100 },
      (_, line) => `${name} ${round} line ${line}: ${(round * 7919 + line * 104_729) % 99_991}`,
    )
    messages.push(
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `toolu_${name}_${round}`, name: 'Bash', input: { command: `run ${round}` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${name}_${round}`, content: lines.join('\n') }] },
    )
  }
  const tools = [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }]
  return JSON.stringify({ model: 'claude-opus-5', max_tokens: 100, system: 'Work on it.', tools, messages })
}
