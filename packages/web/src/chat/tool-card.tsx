import { imageProgressStrings } from '@plimsoll/core/text'
import { Ban, Check, CircleDashed, CircleX, Hand, LoaderCircle } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { LongText } from '../parts/long-text.tsx'
import { terminalLines, visibleLine } from '../parts/safe-text.ts'
import { resultImages, type ShownImage } from '../parts/shown-image.ts'
import { useApp } from '../parts/use-loaded.tsx'
import type { Strings } from '../strings/strings-for.ts'
import type { ShownCall, ShownResult } from './blocks.ts'
import { Fold, useChat } from './chat-context.tsx'
import { resultFacts, shownResultText, wholeLength } from './result-text.ts'

const icons = { running: LoaderCircle, done: Check, failed: CircleX, refused: Ban, missing: CircleDashed }

const outputLines = 200

/** A call of a tool: what it is about, its status and its result, with everything else collapsed below it. */
export function ToolCard({ id, call }: { readonly id: string; readonly call: ShownCall }) {
  const { conversation, turn, number, duration } = useLanguage()
  const { session, permission } = useChat()
  const { tool, about, access, status, progress, output, result, durationMs } = call
  const isWaiting = status === 'running' && permission?.callId === call.callId
  const summary = useMemo(() => callSummary(call, turn, number), [call, turn, number])
  const images = useMemo(() => (result === null ? [] : resultImages(result.content, result.metadata)), [result])
  const Icon = isWaiting ? Hand : icons[status]
  const name = tool === '' ? conversation.tool.unnamed : visibleLine(tool, 80)
  const facts = [
    // Only while it matters; a stored call does not have it.
    ...(access === null || status !== 'running' ? [] : [conversation.tool.access[access]]),
    ...(durationMs !== null && durationMs >= 100 ? [duration(durationMs)] : []),
  ]
  return (
    <div className={`tool-card tool-card-${isWaiting ? 'waiting' : status}`}>
      <Fold
        id={id}
        className="tool-card-fold"
        isOpenAtFirst={status === 'failed'}
        summary={
          <span className="tool-card-head">
            <Icon size={15} aria-hidden className="tool-card-icon" />
            <strong className="mono">{name}</strong>
            <span className="mono tool-card-about">{about}</span>
            <span className="tool-card-facts small">
              <span className="tool-card-status">{isWaiting ? conversation.tool.waits : conversation.tool.status[status]}</span>
              {summary === '' ? null : <span className="tool-card-summary">{summary}</span>}
              {facts.map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </span>
          </span>
        }
      >
        {() => (
          <div className="tool-card-body">
            <Fold id={`${id} input`} summary={conversation.tool.input} isOpenAtFirst={result === null}>
              {() => <LongText text={inputText(call.input)} first={4000} />}
            </Fold>
            {result === null ? null : <Result call={call} result={result} />}
          </div>
        )}
      </Fold>
      {status === 'running' && progress !== null ? (
        <ToolProgress
          label={conversation.tool.progress(name)}
          message={progressText(progress.message, conversation)}
          progress={progress.progress}
        />
      ) : null}
      {status === 'running' && output !== '' ? (
        <pre className="tool-card-output" tabIndex={0} aria-label={conversation.tool.output}>
          {terminalLines(output, outputLines)}
        </pre>
      ) : null}
      {images.map((image, index) => (
        <ToolImage key={index} session={session} image={image} />
      ))}
    </div>
  )
}

function Result({ call, result }: { readonly call: ShownCall; readonly result: ShownResult }): ReactNode {
  const { conversation } = useLanguage()
  const { api } = useApp()
  const { session } = useChat()
  const text = shownResultText(result)
  const { diff } = resultFacts(result)
  const load = async () => {
    const path = `/sessions/${encodeURIComponent(session)}/results/${encodeURIComponent(call.callId)}`
    return (await api.fetch(path)).text()
  }
  return (
    <>
      {diff === null ? null : (
        <div>
          <p className="small muted">{conversation.tool.changes}</p>
          <LongText text={diff} isDiff />
        </div>
      )}
      {text === '' ? null : (
        <div>
          <p className="small muted">{conversation.tool.result}</p>
          <LongText text={text} whole={wholeLength(result)} load={load} isDiff={diff === null && looksLikeDiff(text)} />
        </div>
      )}
    </>
  )
}

function inputText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '')
}

function looksLikeDiff(text: string): boolean {
  return /^(?:diff --git |@@ -\d)/m.test(text.slice(0, 20_000))
}

/** The result of a call in a few words; empty while there is none. */
export function callSummary({ result, status }: ShownCall, strings: Strings['turn'], number: (value: number) => string): string {
  if (result === null) return ''
  const facts = resultFacts(result)
  const { exitCode, added, removed, matches, files, saved, lines, isFile, first } = facts
  if (status !== 'done' && exitCode === null) return visibleLine(first)
  const told = [
    ...(exitCode === null ? [] : [strings.exitCode(exitCode)]),
    ...(added + removed === 0 ? [] : [`+${number(added)} −${number(removed)}`]),
    ...(matches === null ? [] : [strings.matches(number(matches))]),
    ...(files === null ? [] : [strings.files(number(files))]),
    ...(saved === null ? [] : [strings.savedTo(visibleLine(saved))]),
  ]
  if (told.length > 0 && exitCode === null) return told.join(' · ')
  if (lines === 0) return [...told, strings.nothingPrinted].join(' · ')
  if (lines === 1 && !isFile) return [...told, visibleLine(first)].join(' · ')
  return [...told, strings.lines(number(lines))].join(' · ')
}

/** An image of a conversation, from its bytes or from the session's store; a click enlarges it. */
export function ToolImage({ session, image }: { readonly session: string; readonly image: ShownImage }) {
  const { conversation } = useLanguage()
  const [isLarge, setLarge] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const address = useImageAddress(session, image)
  const name = image.path === null ? conversation.tool.image : conversation.tool.imageAt(visibleLine(image.path))
  if (isBroken || address === null) return <p className="muted small">{conversation.tool.imageFailed}</p>
  if (address === undefined) return <p className="muted small">{conversation.tool.imageLoading}</p>
  return (
    <>
      <button type="button" className="tool-image" aria-label={conversation.tool.enlarge(name)} onClick={() => setLarge(true)}>
        <img src={address} alt={name} onError={() => setBroken(true)} />
      </button>
      {isLarge ? (
        <Dialog title={name} onClose={() => setLarge(false)} close={conversation.tool.close}>
          <img className="tool-image-large" src={address} alt={name} />
        </Dialog>
      ) : null}
    </>
  )
}

/** The address of an image: its own bytes, or those that the session stores, which are released with it. Null if there are none. */
function useImageAddress(session: string, { source, mediaType }: ShownImage): string | null | undefined {
  const { api } = useApp()
  const [stored, setStored] = useState<string | null>()
  const sha256 = 'sha256' in source ? source.sha256 : null
  useEffect(() => {
    if (sha256 === null) return
    const controller = new AbortController()
    let url: string | null = null
    const load = async () => {
      const response = await api.fetch(`/sessions/${encodeURIComponent(session)}/blobs/${sha256}`, { signal: controller.signal })
      const bytes = await response.arrayBuffer()
      if (controller.signal.aborted) return
      url = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
      setStored(url)
    }
    load().catch(() => {
      if (!controller.signal.aborted) setStored(null)
    })
    return () => {
      controller.abort()
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [api, session, sha256, mediaType])
  return 'url' in source ? source.url : stored
}

interface ToolProgressProps {
  /** Whose progress it is, for screen readers. */
  readonly label: string
  readonly message: string
  /** Per cent, from 0 to 100; null if unknown. */
  readonly progress: number | null
}

/** A progress bar, and what is being done. */
export function ToolProgress({ label, message, progress }: ToolProgressProps) {
  const share = progress === null || Number.isNaN(progress) ? null : Math.min(100, Math.max(0, progress))
  return (
    <div className="tool-progress">
      <div
        className="tool-progress-track"
        role="progressbar"
        aria-label={label}
        aria-valuetext={message}
        {...(share === null ? {} : { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(share) })}
      >
        {share === null ? (
          <div className="tool-progress-fill tool-progress-unknown" />
        ) : (
          <div className="tool-progress-fill" style={{ width: `${share}%` }} />
        )}
      </div>
      <p className="tool-progress-text">
        <span>{message}</span>
        {share === null ? null : <span className="number">{Math.round(share)} %</span>}
      </p>
    </div>
  )
}

/** A tool's progress message, in the page's language if it is known; else unchanged. */
export function progressText(message: string, { tool }: Strings['conversation']): string {
  const strings = tool.picture
  const { expanding, generating, complete } = imageProgressStrings
  if (message === expanding) return strings.expanding
  if (message === generating) return strings.generating
  if (message === complete) return strings.complete
  const seconds = between(message, imageProgressStrings.generatingFor)
  if (seconds !== null && /^\d+$/.test(seconds)) return strings.generatingFor(seconds)
  const model = between(message, imageProgressStrings.model)
  return model === null ? message : strings.model(model)
}

/** The part of a text that a sentence leaves open; null if the text is not that sentence. */
function between(text: string, sentence: (part: never) => string): string | null {
  const mark = '\u0000'
  const [before = '', after = ''] = sentence(mark as never).split(mark)
  const isSentence = text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length
  return isSentence ? text.slice(before.length, text.length - after.length) : null
}
