import type { Config } from '@plimsoll/core/policies'
import { imageProgressStrings } from '@plimsoll/core/text'
import { z } from 'zod'
import { createBoundedFetch } from '../../model/bounded-fetch.ts'
import type { Environment } from '../../model/server-access.ts'
import type { Ask } from '../../model/side-calls.ts'
import type { ToolOutcome, ToolProgress } from '../../shared/event.ts'
import { defineTool, failed, type Tool, type ToolContext } from '../tool.ts'
import { TimeLimitError, within } from '../work-limits.ts'
import { resolveInside } from '../workspace.ts'
import { type ImageService, imageServiceOf, maxAnswerBytes, requestImage } from './request-image.ts'
import { type ImageFile, saveImage } from './save-image.ts'

export interface ImageToolOptions {
  readonly config: Config
  readonly environment: Environment
  /** Null if no model expands descriptions. */
  readonly expand: Ask | null
  readonly fetch?: typeof fetch
}

const inputs = z.strictObject({
  prompt: z.string().trim().min(1).max(32_000).describe('What the picture should show.'),
  expand_prompt: z.boolean().optional().describe('Whether a model writes a fuller description first. Default: false.'),
  output_path: z
    .optional(z.string().min(1))
    .describe('The file or folder for the picture, inside the workspace. An existing file is never overwritten.'),
  size: z
    .optional(z.string().regex(/^(?:auto|\d{2,5}x\d{2,5})$/, 'expected a size such as 1024x1024'))
    .describe('Width and height in pixels, such as 1024x1024; what is possible depends on the model.'),
  aspect_ratio: z
    .optional(z.string().regex(/^\d{1,2}:\d{1,2}$/, 'expected a ratio such as 16:9'))
    .describe('Width to height, such as 16:9; used where there is no size.'),
})

type Input = z.infer<typeof inputs>

/** The tool that makes images; null if the settings name no model for them, or its key is missing. */
export function createImageTool(options: ImageToolOptions): Tool | null {
  const { config, environment, expand, fetch = createBoundedFetch({ maxBytes: maxAnswerBytes }) } = options
  if (!isOffered(config, environment)) return null
  return defineTool({
    name: 'image_generate',
    description:
      'Makes a picture from a description and saves it as a file in the workspace. Takes half a minute or more, and costs money.',
    access: 'run',
    input: inputs,
    about: ({ prompt, output_path: path }) => (path === undefined ? prompt : `${path}: ${prompt}`),
    async run(input, context) {
      const service = imageServiceOf(config.images, environment)
      if (service === null) return failed('no model makes pictures here: its key is missing.')
      // Reject invalid calls before any cost arises.
      const place = input.output_path === undefined ? null : await resolveInside(context.root, input.output_path)
      if (place !== null && 'reason' in place) return failed(`${place.reason}.`)
      return make(input, service, context, { settings: config.images, expand, fetch })
    },
  })
}

/** An unusable key or address does not hide the tool: its calls say what is wrong. */
function isOffered({ images }: Config, environment: Environment): boolean {
  try {
    return imageServiceOf(images, environment) !== null
  } catch {
    return true
  }
}

type Making = Pick<Required<ImageToolOptions>, 'expand' | 'fetch'> & { readonly settings: Config['images'] }

async function make(input: Input, service: ImageService, context: ToolContext, { settings, expand, fetch }: Making) {
  const { signal, now } = context
  const start = now()
  const progress = createImageProgress(context.progress, now)
  try {
    progress.begin(service.model)
    let expandedPrompt: string | null = null
    if (input.expand_prompt === true && expand !== null) {
      progress.expanding()
      expandedPrompt = await expandPrompt(input.prompt, expand, settings.expand_seconds * 1000, signal)
    }
    progress.generating()
    const { size, aspect_ratio: aspectRatio } = input
    const request = { prompt: expandedPrompt ?? input.prompt, size: size === 'auto' ? undefined : size, aspectRatio }
    const limit = (service.isProxied ? settings.proxy_seconds : settings.direct_seconds) * 1000
    const image = await within(limit, signal, (either) => requestImage(service, request, { fetch, signal: either })).catch(
      (error: unknown) => {
        // A service's own limit ends the request in the same way as ours.
        const isLate = error instanceof TimeLimitError || (error instanceof Error && error.name === 'AbortError')
        throw isLate ? new Error(context.strings.imageTimedOut, { cause: error }) : error
      },
    )
    const outcome = await kept(image, input, context, { model: service.model, expandedPrompt, start })
    progress.complete()
    return outcome
  } finally {
    progress.stop()
  }
}

interface Made {
  readonly model: string
  readonly expandedPrompt: string | null
  readonly start: number
}

async function kept(image: ImageFile, input: Input, context: ToolContext, made: Made): Promise<ToolOutcome> {
  const { bytes, mediaType } = image
  const { root, blobs, signal, now } = context
  const { model, expandedPrompt, start } = made
  const blob = await blobs.write(bytes)
  const saved = await saveImage(image, { root, path: input.output_path, name: blob.sha256.slice(0, 12), signal })
  const imagePath = 'path' in saved ? { imagePath: saved.path } : {}
  const lost = 'The image was made and is kept in the session, but not as a file'
  const output = 'path' in saved ? `Image saved: ${saved.path}` : `${lost}: ${saved.reason}`
  const facts = { ...imagePath, mediaType, bytes: bytes.byteLength, model, generationTimeMs: Math.max(0, now() - start) }
  const metadata = {
    imageBase64: `data:${mediaType};base64,${bytes.toString('base64')}`,
    ...facts,
    prompt: input.prompt,
    ...(expandedPrompt === null ? {} : { expandedPrompt }),
  }
  return { content: { type: 'json', value: { success: true, output, metadata } }, metadata: { ...facts, blob } }
}

/** Returns null if the model fails, takes too long or is silent. Rejects only with the signal's reason. */
async function expandPrompt(prompt: string, ask: Ask, milliseconds: number, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = (await within(milliseconds, signal, (either) => ask(`${question}\n\n${prompt}`, either))).trim()
    const bare = (/^(["'“])([\s\S]*)(["'”])$/.exec(answer)?.[2] ?? answer).trim()
    // Services refuse longer ones.
    return bare === '' ? null : bare.slice(0, 4000).toWellFormed()
  } catch {
    signal.throwIfAborted()
    return null
  }
}

const question = [
  'Expand this description of a picture into a prompt for a model that makes pictures.',
  'Keep everything it asks for, and every text it wants to be seen, word for word.',
  'Add subject, composition, light, colours and style where it leaves them open.',
  'Write in the language of the description, in at most 200 words, and answer with the prompt alone.',
].join(' ')

/** Reports how far an image is, from now on. The number is whole and never goes down. */
export function createImageProgress(tell: ((progress: ToolProgress) => void) | undefined, now: () => number) {
  const start = now()
  let reached = 0
  let timer: NodeJS.Timeout | undefined

  function say(stage: string, message: string, progress: number): void {
    reached = Math.max(reached, Math.round(progress))
    tell?.({ stage, message, progress: reached })
  }

  const stop = () => clearInterval(timer)
  return {
    begin: (model: string) => say('init', imageProgressStrings.model(shownModel(model)), 5),
    expanding: () => say('prompt_expand', imageProgressStrings.expanding, 15),
    /** Reports the time every five seconds, until `complete` or `stop`. */
    generating() {
      say('generating', imageProgressStrings.generating, 30)
      timer = setInterval(() => {
        const elapsed = Math.max(0, now() - start)
        const message = imageProgressStrings.generatingFor(Math.round(elapsed / 1000))
        say('generating', message, Math.min(30 + (elapsed / 60_000) * 50, 80))
      }, 5000)
    },
    complete() {
      stop()
      say('complete', imageProgressStrings.complete, 100)
    },
    stop,
  }
}

function shownModel(model: string): string {
  if (!/flux/i.test(model)) return model
  if (/schnell/i.test(model)) return 'FLUX Schnell'
  return /pro/i.test(model) ? 'FLUX Pro' : model
}
