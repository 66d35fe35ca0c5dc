import { describe, expect, it } from 'vitest'
import { cacheLifetime } from '../../model/prompt-cache.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { emptyChat } from './chat-state.ts'
import { type Status, statusLines } from './live-lines.ts'

const { chat } = stringsFor('en')
const chinese = stringsFor('zh').chat
const measured = chat.load('96.2k', '123k', '78 %', chat.measured)
const hot = chat.hotCache('90 %')
const usage = { input: 100, cacheRead: 900, cacheWrite: 0, output: 5 }
const status: Status = {
  model: 'anthropic/claude-sonnet-5',
  isOffline: false,
  hasCache: true,
  mode: 'ask',
  root: '~/work',
  meter: {
    ...emptyChat.meter,
    tokens: 96_200,
    usable: 123_000,
    source: 'usage',
    last: { usage, at: 0 },
    dollars: 0.1234,
  },
  now: 1000,
}
const lines = (given: Partial<Status>, columns = 120, locale = 'en') =>
  statusLines({ ...status, ...given }, stringsFor(locale).chat, columns, (_tint, text) => text)

describe('the status line', () => {
  it.each<[name: string, given: Partial<Status>, line: string]>([
    ['a warm cache', {}, `anthropic/claude-sonnet-5 · ${measured} · ${hot} · $0.123 · ask · ~/work`],
    [
      'a cold cache',
      { now: cacheLifetime + 1 },
      `anthropic/claude-sonnet-5 · ${measured} · ${chat.coldCache} · $0.123 · ask · ~/work`,
    ],
    [
      'a cache with a longer lifetime',
      { now: cacheLifetime + 1, meter: { ...status.meter, lifetimeSeconds: 1800 } },
      `anthropic/claude-sonnet-5 · ${measured} · ${hot} · $0.123 · ask · ~/work`,
    ],
    [
      'pending tokens',
      { meter: { ...status.meter, waitingTokens: 12_340 } },
      `anthropic/claude-sonnet-5 · ${measured} · ${hot} · $0.123 · ${chat.waitingTokens('12.3k')} · ask · ~/work`,
    ],
    [
      'keep-alive requests and their cost',
      { meter: { ...status.meter, keepAlive: { times: 3, dollars: 0.012 } } },
      `anthropic/claude-sonnet-5 · ${measured} · ${hot} · $0.123 · ${chat.keptAlive(3, '$0.012')} · ask · ~/work`,
    ],
    ['no cache', { hasCache: false }, `anthropic/claude-sonnet-5 · ${measured} · ${chat.noCache} · $0.123 · ask · ~/work`],
    [
      'the offline model before the first message',
      { isOffline: true, meter: { ...status.meter, tokens: 900, source: 'estimate', last: null, dollars: 0 } },
      `${chat.offlineModel} · ${chat.load('900', '123k', '1 %', chat.estimated)} · ${chat.noCache} · ask · ~/work`,
    ],
    [
      'requests without a price',
      { meter: { ...status.meter, unpriced: 1 } },
      `anthropic/claude-sonnet-5 · ${measured} · ${hot} · ${chat.atLeast('$0.123')} · ask · ~/work`,
    ],
    [
      'an unknown price instead of a meaningless amount',
      { meter: { ...status.meter, dollars: 0, unpriced: 3 } },
      `anthropic/claude-sonnet-5 · ${measured} · ${hot} · ${chat.unpriced} · ask · ~/work`,
    ],
    [
      'no window before the first request',
      { meter: emptyChat.meter },
      `anthropic/claude-sonnet-5 · ${chat.noCache} · $0.00 · ask · ~/work`,
    ],
  ])('shows %s', (_name, given, line) => expect(lines(given, 160)).toEqual([line]))

  it('is in Chinese too', () =>
    expect(lines({}, 120, 'zh')).toEqual([
      `anthropic/claude-sonnet-5 · ${chinese.load('96.2k', '123k', '78%', chinese.measured)} · ${chinese.hotCache('90%')} · $0.123 · ask · ~/work`,
    ]))

  it('wraps into two lines in a narrow terminal', () =>
    expect(lines({}, 66)).toEqual([`anthropic/claude-sonnet-5 · ${measured}`, `${hot} · $0.123 · ask · ~/work`]))

  it.each([20, 30, 40, 60, 80])('never exceeds %i columns and always shows how full the window is', (columns) => {
    for (const locale of ['en', 'zh']) {
      const shown = lines({ root: '/a/very/long/path/to/some/workspace' }, columns, locale)
      expect(shown.length).toBeLessThanOrEqual(2)
      expect(shown.every((line) => displayWidth(line) <= columns)).toBe(true)
      expect(shown.join('\n')).toMatch(/96\.2k (?:of|\/) 123k/)
    }
  })
})
