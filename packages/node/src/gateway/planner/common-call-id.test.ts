import { expect, test } from 'vitest'
import { isCommonCallId } from './gateway-parts.ts'

test.each([
  ['none', null],
  ['counted', '0'],
  ['counted with the name of its tool, as Kimi does', 'functions.Bash:12'],
  ['counted with words', 'call_3'],
  ['counted with a long word', 'toolcall12'],
  ['counted with noughts in front', 'call_00000017'],
  ['the name of a tool', 'call_read_multiple_files'],
  ['made here out of what a call of Gemini asks for', 'function:4b016950be80:2'],
])('an id that other conversations may have too: %s', (_, id) => expect(isCommonCallId(id)).toBe(true))

test.each([
  ['Anthropic', 'toolu_01A09q90qw90lq917835lq9'],
  ['OpenAI', 'call_9Xr3tQ4bVn0pLm2sYw8uZc1k'],
  ['vLLM', 'chatcmpl-tool-5f0a3e6c1d2b4a798c3d2e1f0a9b8c7d'],
  ['Bedrock', 'tooluse_kZJMlvQmRJ6eAyJE5GIl7Q'],
  ['Gemini CLI', 'read_file-1730000000000-8f3a1c2b9d4e'],
  ['a UUID', '2b1f6c1e-7d43-4c5e-9a51-0f6f3f1d9f10'],
])('a random id belongs to one call: %s', (_, id) => expect(isCommonCallId(id)).toBe(false))
