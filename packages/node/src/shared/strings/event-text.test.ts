import { overflowStrings } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { agentErrorText, sharedStringsFor } from './strings-for.ts'

const error = (code: string, about: unknown = 'X_API_KEY') => ({
  code,
  message: 'original message',
  suggestion: null,
  details: { about },
})

describe('agentErrorText', () => {
  it.each<[code: string, locale: string | null, message: string, suggestion: string | null]>([
    ['KEY_REFUSED', 'en', 'The provider rejected the API key.', 'Check the key in X_API_KEY and its permissions.'],
    ['KEY_REFUSED', 'zh-CN', '服务商拒绝了 API 密钥。', '请检查 X_API_KEY 中的密钥及其权限。'],
    ['CONTEXT_LENGTH_EXCEEDED', 'zh', overflowStrings.message, overflowStrings.suggestion],
    ['SOMETHING', 'en', 'original message', null],
    ['constructor', 'en', 'original message', null],
  ])('translates %s to %s', (code, locale, message, suggestion) =>
    expect(agentErrorText(error(code), locale)).toEqual({ message, suggestion }),
  )

  it.each<[locale: string, facts: Readonly<Record<string, unknown>>, message: string]>([
    ['en', {}, 'The provider’s rate limit was reached: busy'],
    ['en', { tries: 6, wait: '' }, 'The provider’s rate limit was reached (tried 6 times): busy'],
    ['en', { tries: 2, wait: '9 min' }, 'The provider’s rate limit was reached (tried 2 times; try again in 9 min): busy'],
    ['zh', { tries: 6, wait: '9 min' }, '已达到服务商的速率限制（已尝试 6 次；请在 9 min 后重试）：busy'],
  ])('says in %s that a limit was hit, with %o', (locale, facts, message) => {
    const limited = { ...error('RATE_LIMITED'), details: { about: 'busy', ...facts } }
    expect(agentErrorText(limited, locale).message).toBe(message)
  })

  it('has a complete sentence for every code without details', () => {
    for (const locale of ['en', 'zh'])
      for (const code of Object.keys(sharedStringsFor(locale).agentErrors)) {
        const { message, suggestion } = agentErrorText(error(code, 7), locale)
        expect(`${message} ${suggestion}`).not.toMatch(/undefined|: $|\bin {2}/)
      }
  })
})
