import { promptTotal } from '@plimsoll/core/bill'
import type { Finding } from '../store/finding.ts'
import type { ClosedLabels } from './closed-labels.ts'
import type { AnsweredEvent } from './join-measured.ts'
import type { Measured } from './planner.ts'
import { providerNames } from './provider-names.ts'

/** What a span says of a request: names and numbers, never a word of the conversation. */
export interface SpanFacts {
  readonly name: string
  /** Whether a model was asked, and not only something about models. */
  readonly isModelCall: boolean
  readonly attributes: Readonly<Record<string, string | number | boolean | string[]>>
  /** What kind of failure it was; null for none. */
  readonly error: string | null
}

/**
 * Tells a request in the words of OpenTelemetry's conventions for generative models, and in `plimsoll.*` what they have no words for.
 * Names of spans are few, so only models that `say` knows are in them.
 */
export function spanFacts(event: AnsweredEvent, measured: Measured | null, say: ClosedLabels): SpanFacts {
  const { dialect } = event
  const model = measured?.model ?? event.model
  const error = failureOf(event)
  const common = { ...requestAttributes(event), ...(error === null ? {} : { 'error.type': error }) }
  if (dialect === null || (measured === null && model === null))
    return { name: `${methodName(event.method)} ${event.route}`, isModelCall: false, attributes: common, error }
  const { provider, operation } = providerNames[dialect]
  const names = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    ...(model === null ? {} : { 'gen_ai.request.model': cut(model) }),
  }
  return {
    name: [operation, say.model(model)].filter((word) => word !== 'other').join(' '),
    isModelCall: true,
    attributes: { ...common, ...names, ...(measured === null ? {} : measuredAttributes(measured, event.findings ?? [])) },
    error,
  }
}

function requestAttributes(event: AnsweredEvent): SpanFacts['attributes'] {
  return {
    'http.request.method': methodName(event.method),
    'http.route': event.route,
    'plimsoll.request.id': event.id,
    'plimsoll.request.bytes': event.requestBytes,
    'plimsoll.answer.bytes': event.answerBytes,
    'plimsoll.changed': event.isChanged,
    'plimsoll.end': event.end,
    'plimsoll.overhead_milliseconds': event.overheadMilliseconds,
    ...(event.status === null ? {} : { 'http.response.status_code': event.status }),
    ...(event.dialect === null ? {} : { 'plimsoll.dialect': event.dialect }),
    ...(event.mode === undefined ? {} : { 'plimsoll.mode': event.mode }),
    ...(event.findings === undefined ? {} : { 'plimsoll.findings': event.findings.map(({ code }) => code) }),
    ...(event.firstByteMilliseconds === null ? {} : { 'plimsoll.first_byte_milliseconds': event.firstByteMilliseconds }),
  }
}

function measuredAttributes(measured: Measured, found: readonly Finding[]): SpanFacts['attributes'] {
  const { usage, dollars, untrimmedDollars, answeredModel } = measured
  return {
    'plimsoll.mode': measured.mode,
    'plimsoll.tokens.before': measured.tokensBefore,
    'plimsoll.tokens.after': measured.tokensAfter,
    'plimsoll.rules': Object.keys(measured.removed),
    'plimsoll.prefix.breaks': [...measured.breaks],
    'plimsoll.findings': [...found, ...measured.findings].map(({ code }) => code),
    'plimsoll.planned_milliseconds': measured.plannedMilliseconds,
    ...(answeredModel === undefined || answeredModel === null ? {} : { 'gen_ai.response.model': cut(answeredModel) }),
    ...(measured.overflow === null ? {} : { 'plimsoll.overflow': measured.overflow }),
    ...(dollars === null ? {} : { 'plimsoll.cost.usd': dollars }),
    ...(untrimmedDollars === null ? {} : { 'plimsoll.cost.untrimmed_usd': untrimmedDollars }),
    ...(usage === null
      ? {}
      : {
          // By the conventions, all of the input, cached or not.
          'gen_ai.usage.input_tokens': promptTotal(usage),
          'gen_ai.usage.output_tokens': usage.output,
          'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
          'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
        }),
  }
}

function failureOf({ end, status }: AnsweredEvent): string | null {
  if (end !== 'complete' && end !== 'refused') return end
  return status !== null && status >= 400 ? String(status) : null
}

/** A method is whatever a client sent. */
function methodName(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function cut(model: string): string {
  return model.slice(0, 200)
}
