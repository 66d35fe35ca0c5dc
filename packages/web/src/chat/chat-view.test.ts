import type { Report } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import { imageProgressStrings } from '@plimsoll/core/text'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { TurnEnd } from '../../../node/src/shared/event.ts'
import type { LiveState } from '../../../node/src/shared/server-api.ts'
import { agentErrorText } from '../../../node/src/shared/strings/strings-for.ts'
import { LanguageProvider, languageFor } from '../parts/language.tsx'
import { AppContext } from '../parts/use-loaded.tsx'
import { createApi } from '../server/api.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { cacheLeft, meterOf, withView } from './apply-event.ts'
import { CompactionCard, turnText } from './block-view.tsx'
import { endedCall, type ShownCall, startedCall, withProgress } from './blocks.ts'
import { ChatContext } from './chat-context.tsx'
import { LoadMeter } from './chat-header.tsx'
import { Markdown } from './markdown.tsx'
import { callSummary, progressText, ToolCard, ToolProgress } from './tool-card.tsx'

const english = languageFor('en')
const model: LiveState['model'] = { name: 'test', isOffline: false, window: 200_000 }

/** Renders a part of the chat as HTML in a language. */
function shown(element: ReactNode, locale = 'en'): string {
  const hello = {
    version: '0',
    locale,
    folder: 'w',
    root: '/w',
    model,
    models: ['test'],
    mode: defaultConfig.agent.mode,
    isOfflineUnasked: false,
    notices: [],
  }
  const app = { api: createApi('', () => locale), hello, refreshSessions: () => undefined, sessionsVersion: 0 }
  const chat = {
    session: 's',
    isBusy: false,
    retryable: null,
    permission: null,
    rewind: () => undefined,
    undoFiles: () => undefined,
    fork: () => undefined,
    resume: () => undefined,
    unfolded: new Map<string, boolean>(),
  }
  return renderToStaticMarkup(
    createElement(LanguageProvider, {
      locale,
      children: createElement(AppContext, { value: app }, createElement(ChatContext, { value: chat }, element)),
    }),
  )
}

const call = startedCall({ callId: 'c', tool: 'Bash', input: { command: 'ls' }, access: 'run' })
const ended = (text: string, more: { readonly isError?: boolean; readonly metadata?: Record<string, unknown> } = {}): ShownCall =>
  endedCall(call, {
    callId: 'c',
    tool: 'Bash',
    result: { content: { type: 'text', text }, metadata: more.metadata ?? {} },
    isError: more.isError ?? false,
    durationMs: 1500,
  })

describe('ToolProgress', () => {
  it('R002-27 is a track whose inner bar is as wide as the progress, with the message in small text', () => {
    const html = shown(createElement(ToolProgress, { label: 'Progress of x', message: '生成中... 5s', progress: 34 }))
    expect(html).toBe(
      '<div class="tool-progress"><div class="tool-progress-track" role="progressbar" aria-label="Progress of x" ' +
        'aria-valuetext="生成中... 5s" aria-valuemin="0" aria-valuemax="100" aria-valuenow="34">' +
        '<div class="tool-progress-fill" style="width:34%"></div></div>' +
        '<p class="tool-progress-text"><span>生成中... 5s</span><span class="number">34 %</span></p></div>',
    )
  })

  it.each([
    [-5, 'width:0%'],
    [140, 'width:100%'],
    [Number.POSITIVE_INFINITY, 'width:100%'],
    [null, 'tool-progress-unknown'],
    [Number.NaN, 'tool-progress-unknown'],
  ])('shows a progress of %s within bounds', (progress, part) =>
    expect(shown(createElement(ToolProgress, { label: 'a', message: 'b', progress }))).toContain(part),
  )
})

describe('ToolCard', () => {
  it('R002-22 R002-33 shows the progress of any tool that reports it while it runs', () => {
    const running = withProgress(call, { stage: 'generating', message: imageProgressStrings.generatingFor(5), progress: 34 })
    expect(shown(createElement(ToolCard, { id: 'k', call: running }))).toContain('aria-valuenow="34"')
    expect(shown(createElement(ToolCard, { id: 'k', call: running }))).toContain(
      english.conversation.tool.picture.generatingFor('5'),
    )
    expect(shown(createElement(ToolCard, { id: 'k', call: ended('ok') }))).not.toContain('progressbar')
  })

  it('R002-11 R002-31 shows the image of a complete result, but no SVG', () => {
    const withImage = (mediaType: string) =>
      endedCall(call, {
        callId: 'c',
        tool: 'image_generate',
        result: {
          content: { type: 'json', value: { metadata: { imageBase64: `data:${mediaType};base64,${'A'.repeat(400)}` } } },
          metadata: { imagePath: 'generated-images/a.png' },
        },
        isError: false,
        durationMs: 1,
      })
    const html = shown(createElement(ToolCard, { id: 'k', call: withImage('image/png') }))
    expect(html).toContain(
      `<img src="data:image/png;base64,${'A'.repeat(400)}" alt="${english.conversation.tool.imageAt('generated-images/a.png')}"/>`,
    )
    expect(shown(createElement(ToolCard, { id: 'k', call: withImage('image/svg+xml') }))).not.toContain('<img')
  })

  it('R002-33 is expanded with the full text if the call failed', () => {
    const text = 'Error: 图片生成超时。\n\n建议稍后重试，或使用更简单的描述。'
    expect(shown(createElement(ToolCard, { id: 'k', call: ended(text, { isError: true }) }))).toContain(text)
    expect(shown(createElement(ToolCard, { id: 'k', call: ended('all\nis\nwell') }))).not.toContain('all\nis')
  })

  it('shows markup, escape sequences and reversed text as text', () => {
    const html = shown(createElement(ToolCard, { id: 'k', call: ended('<script>x</script>\u001b[31m\u202e', { isError: true }) }))
    expect(html).toContain('&lt;script&gt;x&lt;/script&gt;\\u001b[31m\\u202e')
  })
})

describe('callSummary', () => {
  it.each([
    ['a failure by its first line', ended('Error: no\nmore', { isError: true }), 'Error: no'],
    ['a command by its exit', ended('a\nb\n[exit code 0]', { metadata: { exitCode: 0 } }), 'exit code 0 · 2 lines'],
    ['a change by its lines', ended('ok', { metadata: { diff: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n+z' } }), '+2 −1'],
    ['a file by its lines', ended('f lines 1-1 of 1', { metadata: { from: 1, to: 1 } }), '1 line'],
    ['a short answer by itself', ended('saved'), 'saved'],
    ['nothing as nothing', ended(''), 'no output'],
  ])('summarizes %s', (_name, one, summary) => expect(callSummary(one, english.turn, english.number)).toBe(summary))
})

describe('Markdown', () => {
  const hostile = [
    '<img src=x onerror=alert(1)> <script>alert(1)</script>',
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](https://a.example/ "t")',
    '![tracker](http://evil.example/p.png)',
    '<div onclick="x">\nblock\n</div>',
    '```html"><script>\n<b>&amp;</b>\n```',
  ].join('\n\n')

  it('renders hostile text as harmless elements: nothing runs, nothing loads', () => {
    const html = shown(createElement(Markdown, { text: hostile }))
    expect(html.match(/<(?:img|script|iframe|object|video|style|form)\b/g)).toBe(null)
    // React writes what is text with its brackets escaped, so that an attribute is one of ours.
    expect(html.replaceAll(/&lt;.*?&gt;/gs, '').match(/ on\w+=/g)).toBe(null)
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="https://a.example/"'])
    expect(html).toContain('rel="noopener noreferrer"')
    expect(html).toContain('[image: tracker](http://evil.example/p.png)')
    expect(html).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;')
  })

  it('shows a text over 200 kB without formatting', () =>
    expect(shown(createElement(Markdown, { text: `# a\n${'b'.repeat(200_000)}` }))).not.toContain('<h2'))
})

describe('CompactionCard', () => {
  const start = { rounds: { folded: 3, kept: 2 }, messages: 12, tokens: 9000, writer: 'model' } as const

  it('R004-31 shows what is compacted and how far the summary is, and asks to wait', () => {
    const html = shown(
      createElement(CompactionCard, { block: { kind: 'compaction', key: 'k', start, written: 1234, end: null } }),
    )
    expect(html).toContain(english.conversation.compaction.folding('12', '3', '2', '9,000'))
    expect(html).toContain(english.turn.written('1,234'))
    expect(html).toContain('Please wait')
    expect(html).toContain('role="progressbar"')
    const chinese = shown(
      createElement(CompactionCard, { block: { kind: 'compaction', key: 'k', start, written: 0, end: null } }),
      'zh',
    )
    expect(chinese).toContain('请稍候')
  })
})

describe('progressText', () => {
  it('R002-23 translates the progress texts of the image tool and no others', () => {
    const { model: of, expanding, generating, generatingFor, complete } = imageProgressStrings
    const messages = [of('FLUX Pro'), expanding, generating, generatingFor(12), complete, '下载中']
    expect(messages.map((message) => progressText(message, stringsFor('zh').conversation))).toEqual(messages)
    expect(messages.map((message) => progressText(message, stringsFor('en').conversation))).toEqual([
      'Using the model FLUX Pro',
      'Expanding the description …',
      'Generating the image (about 30 to 60 seconds) …',
      'Generating the image … 12 s',
      'Image generated',
      '下载中',
    ])
  })
})

describe('errorText', () => {
  it('shows known errors in the language of the page with a suggestion, and others unchanged', () => {
    const error = { code: 'KEY_REFUSED', message: 'x', suggestion: null, details: { about: 'A_KEY' } }
    expect(agentErrorText(error, 'en')).toEqual({
      message: 'The provider rejected the API key.',
      suggestion: 'Check the key in A_KEY and its permissions.',
    })
    expect(agentErrorText({ ...error, code: 'toString' }, 'en')).toEqual({ message: 'x', suggestion: null })
  })
})

describe('turnText', () => {
  it('summarizes how a turn ended, its time, tokens and cost', () => {
    const end: TurnEnd = {
      outcome: 'cancelled',
      steps: 2,
      text: '',
      usage: { input: 500, cacheRead: 1500, cacheWrite: 0, output: 40 },
      cost: { dollars: 0.0123, unpriced: 0 },
    }
    expect(turnText(end, 61_000, english)).toBe(
      'stopped · 1 min 1 s · 2 requests · 2,000 tokens in, 40 out · 75.0% from cache · $0.0123',
    )
  })
})

describe('Meter', () => {
  const report = {
    load: { tokens: 96_000, source: 'usage' },
    timing: { waitingTokens: 700, lifetimeSeconds: 300, cold: null },
  } as unknown as Report

  it('shows absolute numbers, the reserve, and whether they were measured', () => {
    const meter = withView(meterOf(null, null), { report, window: 139_000, usable: 131_000 })
    expect(meter.load).toEqual({ tokens: 96_000, window: 139_000, reserve: 8000, source: 'usage' })
    expect(shown(createElement(LoadMeter, { meter }))).toContain('96k of 131k usable tokens, 8k reserved, measured (73.3%)')
  })

  it('knows how long the conversation stays cached', () => {
    const meter = { ...withView(meterOf(null, null), { report, window: 10, usable: 9 }), askedAt: 1000 }
    expect([cacheLeft(meter, 61_000), cacheLeft(meter, 400_000), cacheLeft({ ...meter, cacheLifetimeMs: null }, 0)]).toEqual([
      240_000,
      0,
      null,
    ])
  })
})
