/** An OpenAI chat log with times: reads, edits of the files that were read, and an hour's pause in the middle. */
export function recordedFile(requests: number): string {
  const start = Date.parse('2026-01-31T09:00:00Z')
  const messages: unknown[] = [{ role: 'user', content: 'Mend the prices.', timestamp: start }]
  for (let index = 0; index < requests; index += 1) {
    const at = start + index * 20_000 + (index > requests / 2 ? 3_600_000 : 0)
    const [name, input, output] =
      index % 3 === 2
        ? ['edit_file', { path: file(index - 1), old_string: anchor(index - 1), new_string: 'const mended = 1' }, 'done']
        : ['read_file', { path: file(index) }, content(index)]
    messages.push(
      {
        role: 'assistant',
        content: '',
        timestamp: at,
        tool_calls: [{ id: `call-${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      },
      { role: 'tool', tool_call_id: `call-${index}`, timestamp: at + 1000, content: output },
    )
  }
  messages.push({ role: 'assistant', content: 'All prices are mended.', timestamp: start + 8_000_000 })
  return JSON.stringify({ model: 'gpt-5.5', messages })
}

function file(index: number): string {
  return `src/price-${index}.ts`
}

function anchor(index: number): string {
  return `export const priceOfNumber${index} = ${index}`
}

function content(index: number): string {
  const lines = Array.from({ length: 60 }, (_, line) => `// what stands in line ${line} of file ${index}`)
  return [...lines, anchor(index), ...lines].join('\n')
}
