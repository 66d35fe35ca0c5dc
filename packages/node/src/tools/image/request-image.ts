import type { Config } from '@plimsoll/core/policies'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { isHome, type Provider, providers } from '../../model/providers.ts'
import { checkAddress, type Environment, keyIn } from '../../model/server-access.ts'
import { type ImageFile, imageOf, maxImageBytes } from './save-image.ts'

export interface ImageService {
  readonly url: string
  readonly key: string | null
  readonly model: string
  /** `images`: OpenAI's endpoint for images. `chat`: OpenRouter's way, an answer in a chat that holds an image. */
  readonly style: 'images' | 'chat'
  /** Whether there is a proxy on the way, which gives up earlier than the service itself. */
  readonly isProxied: boolean
}

interface ImageRequest {
  readonly prompt: string
  readonly size?: string | undefined
  readonly aspectRatio?: string | undefined
}

/** An image as base64, and a little around it. */
export const maxAnswerBytes = Math.ceil(maxImageBytes / 3) * 4 + 2 ** 16

/** Returns null if no model is configured, or if its key is missing. Throws `ModelChoiceError` for an unusable address or key. */
export function imageServiceOf({ model, url }: Config['images'], environment: Environment): ImageService | null {
  if (model === null) return null
  const { provider, name } = providerOf(model, url)
  const { home, elsewhere } = provider
  const set = environment[elsewhere.variable]?.trim() ?? ''
  const address = checkAddress(url ?? (set === '' ? home : (elsewhere.complete?.(set) ?? set)), null)
  const key = keyIn(environment, provider.keys)
  const isOwn = isHome(provider, address)
  if (key === null && isOwn && provider.needsKey !== 'never') return null
  return {
    url: address.replace(/(?<!\/)\/{1,100}$/, ''),
    key,
    model: name,
    style: provider.name === 'openrouter' ? 'chat' : 'images',
    isProxied:
      (url !== null && !isOwn) || ['HTTPS_PROXY', 'https_proxy'].some((variable) => (environment[variable] ?? '') !== ''),
  }
}

function providerOf(model: string, url: string | null): { readonly provider: Provider; readonly name: string } {
  const slash = model.indexOf('/')
  const named = providers.find(({ name }) => slash > 0 && name === model.slice(0, slash))
  if (named !== undefined && model.length > slash + 1) return { provider: named, name: model.slice(slash + 1) }
  const byAddress = url?.includes('openrouter') === true ? 'openrouter' : 'openai'
  return { provider: providers.find(({ name }) => name === byAddress) as Provider, name: model }
}

/** Rejects with an error that never holds the key, or with the error of `fetch` when the signal fires. */
export async function requestImage(
  service: ImageService,
  request: ImageRequest,
  { fetch, signal }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<ImageFile> {
  const { url, key, style } = service
  const response = await fetch(`${url}/${style === 'chat' ? 'chat/completions' : 'images/generations'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(style === 'chat' ? chatBody(service, request) : imagesBody(service, request)),
    signal,
  })
  const text = await response.text()
  const answer = parseJson(text) ?? null
  if (!response.ok) throw new Error(`the image service answered HTTP ${response.status}: ${saidBy(answer, text, key)}`)
  const place = style === 'chat' ? imageInChat(answer) : imageInList(answer)
  if (place === null) throw new Error(`the image service made no picture: ${saidBy(answer, text, key)}`)
  const bytes = 'base64' in place ? Buffer.from(place.base64, 'base64') : await fetched(place.url, url, fetch, signal)
  if (bytes.byteLength > maxImageBytes) throw new Error(`the picture has more than ${maxImageBytes} bytes`)
  const file = imageOf(bytes)
  if (file === null) throw new Error('the image service did not send an image')
  return file
}

function imagesBody({ model }: ImageService, { prompt, size, aspectRatio }: ImageRequest): object {
  const wanted = size ?? (aspectRatio === undefined ? undefined : sizeFor(aspectRatio, model))
  return {
    model,
    prompt,
    n: 1,
    ...(wanted === undefined ? {} : { size: wanted }),
    // OpenAI's newer models always answer this way, and refuse the field.
    ...(/^gpt-image|^chatgpt-image/.test(model) ? {} : { response_format: 'b64_json' }),
  }
}

function chatBody({ model }: ImageService, { prompt, size, aspectRatio }: ImageRequest): object {
  const ratio = aspectRatio ?? (size === undefined ? undefined : ratioOf(size))
  return {
    model,
    messages: [{ role: 'user', content: prompt }],
    // A model that answers with nothing but images refuses to be asked for text.
    modalities: /flux/i.test(model) ? ['image'] : ['image', 'text'],
    stream: false,
    ...(ratio === undefined ? {} : { image_config: { aspect_ratio: ratio } }),
  }
}

function sizeFor(aspectRatio: string, model: string): string {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number)
  const long = model.startsWith('dall-e-3') ? 1792 : 1536
  if (width === height) return '1024x1024'
  return width > height ? `${long}x1024` : `1024x${long}`
}

function ratioOf(size: string): string | undefined {
  const [width = 0, height = 0] = size.split('x').map(Number)
  if (!(width > 0 && height > 0)) return undefined
  let [divisor, rest] = [width, height]
  while (rest > 0) [divisor, rest] = [rest, divisor % rest]
  return `${width / divisor}:${height / divisor}`
}

type Place = { readonly base64: string } | { readonly url: string }

function imageInList(answer: unknown): Place | null {
  const first = firstIn(answer, 'data')
  if (typeof first['b64_json'] === 'string' && first['b64_json'] !== '') return { base64: first['b64_json'] }
  return typeof first['url'] === 'string' ? placeOf(first['url']) : null
}

function imageInChat(answer: unknown): Place | null {
  const source = firstIn(messageIn(answer), 'images')['image_url']
  const url: unknown = isRecord(source) ? source['url'] : source
  return typeof url === 'string' ? placeOf(url) : null
}

function placeOf(url: string): Place {
  const comma = url.indexOf(',')
  return /^data:[^,]{0,100};base64$/i.test(url.slice(0, Math.max(0, comma))) ? { base64: url.slice(comma + 1) } : { url }
}

/** Only from the service itself: an address in an answer could lead anywhere, also into the user's own network. */
async function fetched(url: string, service: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Buffer> {
  const address = URL.parse(url)
  if (address === null || address.origin !== new URL(service).origin)
    throw new Error('the image service keeps the picture at another address, from where it is not fetched')
  const response = await fetch(address.href, { signal })
  if (!response.ok) throw new Error(`the image service answered HTTP ${response.status} when the picture was fetched`)
  return Buffer.from(await response.arrayBuffer())
}

function messageIn(answer: unknown): Readonly<Record<string, unknown>> {
  const { message } = firstIn(answer, 'choices')
  return isRecord(message) ? message : {}
}

function firstIn(answer: unknown, field: string): Readonly<Record<string, unknown>> {
  const list = isRecord(answer) ? answer[field] : null
  const first: unknown = Array.isArray(list) ? list[0] : null
  return isRecord(first) ? first : {}
}

/** The service's own message, on one line; some repeat the key that they refuse. */
function saidBy(answer: unknown, text: string, key: string | null): string {
  const { error, message } = isRecord(answer) ? answer : {}
  const words = [isRecord(error) ? error['message'] : error, message, messageIn(answer)['content'], answer === null ? text : null]
  const said = words.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? 'no reason given'
  return (key === null ? said : said.replaceAll(key, '***')).slice(0, 2000).replace(/\s+/g, ' ').trim().slice(0, 300)
}
