import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector gets it. */
export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly kind: number
  readonly milliseconds: number
  readonly status: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A collector of OTLP over HTTP, in JSON, on its own port. */
export interface OtlpReceiver {
  readonly endpoint: string
  readonly spans: ReceivedSpan[]
  /** Everything received, as text. */
  readonly bodies: string[]
  readonly resources: Readonly<Record<string, unknown>>[]
  readonly close: () => Promise<void>
}

/** Starts one; `status` is what it answers. */
export async function startOtlpReceiver({ status = 200 }: { readonly status?: number } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const resources: Readonly<Record<string, unknown>>[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      bodies.push(`${request.url ?? ''} ${body}`)
      if (request.url === '/v1/traces' && status === 200) {
        const batch = JSON.parse(body) as OtlpBatch
        for (const { resource, scopeSpans } of batch.resourceSpans) {
          resources.push(valuesOf(resource.attributes))
          for (const scope of scopeSpans) spans.push(...scope.spans.map(readSpan))
        }
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    resources,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface OtlpBatch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

interface OtlpSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly status: { readonly code?: number }
}

interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

interface OtlpValue {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
  readonly boolValue?: boolean
  readonly arrayValue?: { readonly values: readonly OtlpValue[] }
}

function readSpan(span: OtlpSpan): ReceivedSpan {
  return {
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? null,
    kind: span.kind,
    milliseconds: Number((BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1_000_000n),
    status: span.status.code ?? 0,
    attributes: valuesOf(span.attributes),
  }
}

function valuesOf(attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))
}

function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue }: OtlpValue): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(valueOf)
  return stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? null : Number(intValue))
}
