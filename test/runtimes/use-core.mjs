const entries = ['index', 'policies', 'wire', 'compaction', 'session', 'bill', 'text']

/** All names of core's entry points in one object; `load` imports one entry point. */
export async function loadCore(load) {
  return Object.assign({}, ...(await Promise.all(entries.map(load))))
}

/** The output of each part of core for one conversation, as texts by name, the same on every runtime. */
export function useCore(core, conversation) {
  const facts = { now: Date.parse('2026-03-29T10:07:00Z'), root: '/srv/tides' }
  const texts = {}
  const keep = (name, value) => {
    texts[name] = typeof value === 'string' ? value : JSON.stringify(value)
  }

  const trimmed = core.trimMessages(conversation, facts)
  keep('trimMessages', trimmed)
  const reading = core.codecs['openai-chat'].read(conversation)
  for (const [name, policies] of Object.entries({ spec: core.specPolicies, economy: core.economyPolicies })) {
    const { view, report } = core.buildView({ messages: reading.messages, policies, facts })
    keep(`${name} view`, core.patchText(JSON.stringify(conversation, null, 1), reading.patches(view)))
    keep(`${name} report`, report)
    for (const dialect of Object.keys(core.codecs)) {
      const request = core.writeRequest(dialect, view, { model: 'any', system: 'Be brief.' })
      keep(`${name} as ${dialect}`, request)
      const again = core.codecs[dialect].read(request)
      keep(`${name} as ${dialect}, read again`, again.messages)
    }
  }

  const segment = core.planCompaction(reading.messages, { keepRounds: 1 })
  keep('summary', segment === null ? 'none' : core.writeSummary(segment, facts))
  keep('tokens', core.countMessages(reading.messages, core.estimator))
  keep('fill', core.windowFill(reading.messages, { window: 200_000, reserve: 8192 }))
  keep('handle', core.handleOf(JSON.stringify(conversation)))
  for (const language of ['en', 'zh']) {
    const overflow = { tokens: 9000, limit: 8000, bytes: 9, maxBytes: 8, images: 9, maxImages: 8, parts: [] }
    keep(`overflow ${language}`, core.describeOverflow(overflow, language))
  }
  keep(
    'numbers',
    [1234.5, 1e21, 0.1 + 0.2, 123_456_789].map((number) => core.grouped(number)),
  )
  return texts
}
