import { callInput, type Part, resultText, type ToolResultPart } from '@plimsoll/core'
import { inputText } from '@plimsoll/core/text'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { saveAs } from '../../parts/browser.ts'
import { Button, Marked } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { beginningOf, visibleLine } from '../../parts/safe-text.ts'
import { partImage, resultImages, type ShownImage } from '../../parts/shown-image.ts'
import { ErrorNotice, useLoaded, useWork } from '../../parts/use-loaded.tsx'
import { useInspector } from '../source/inspector-source.ts'

interface MessagePartProps {
  readonly part: Part
  readonly number: number
  /** The tool of a result that does not name it itself. */
  readonly tool: string
}

/** One part of a message with everything in it, as text. */
export function MessagePart({ part, number, tool }: MessagePartProps) {
  const { messageDetail } = useLanguage()
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return (
        <PartFrame title={messageDetail[part.type]}>
          <BoundedText text={part.text} />
        </PartFrame>
      )
    case 'media': {
      const image = partImage(part)
      return (
        <PartFrame title={messageDetail.media(visibleLine(part.mediaType, 60))}>
          {image === null ? <p className="muted">{messageDetail.noImage}</p> : <StoredImage image={image} number={number} />}
        </PartFrame>
      )
    }
    case 'tool-call': {
      const input = callInput(part)
      return (
        <PartFrame title={messageDetail.call(visibleLine(part.tool, 80))}>
          <BoundedText text={input === null ? inputText(part) : prettyJson(input)} />
        </PartFrame>
      )
    }
    case 'tool-result':
      return <Result part={part} number={number} tool={tool} />
  }
}

type PartFrameProps = { readonly title: string; readonly mark?: string; readonly children: ReactNode }

function PartFrame({ title, mark = '', children }: PartFrameProps) {
  return (
    <section className="message-part">
      <h3 className="message-part-title">
        {title}
        {mark === '' ? null : <span className="message-part-mark">{mark}</span>}
      </h3>
      {children}
    </section>
  )
}

function Result({ part, number, tool: known }: MessagePartProps & { readonly part: ToolResultPart }) {
  const { messageDetail, loadLine, bytes } = useLanguage()
  const { content, blob } = part
  const named = part.tool === null || part.tool === '' ? known : part.tool
  const tool = named === '' ? loadLine.unknownTool : visibleLine(named, 80)
  const text = content.type === 'json' && typeof content.value !== 'string' ? prettyJson(content.value) : resultText(part)
  const images = resultImages(content, part.metadata)
  return (
    <PartFrame title={messageDetail.result(tool)} mark={part.isError === true ? messageDetail.failed : ''}>
      {text === '' && images.length > 0 ? null : <BoundedText text={text} />}
      {images.map((image, index) => (
        <StoredImage key={index} image={image} number={number} />
      ))}
      {blob === undefined ? null : (
        <div className="message-extract">
          <span className="muted small">{messageDetail.extract(bytes(blob.bytes))}</span>
          <SaveBlob sha256={blob.sha256} name={`message-${number}.txt`} />
        </div>
      )}
    </PartFrame>
  )
}

function SaveBlob({ sha256, name }: { readonly sha256: string; readonly name: string }) {
  const { source } = useInspector()
  const { messageDetail } = useLanguage()
  const { error, run } = useWork()
  const save = async () => saveAs(await source.blob(sha256, 'text/plain'), name)
  return (
    <>
      <Button isSmall icon={Download} onClick={() => void run(save)} text={messageDetail.save} />
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  )
}

/** A value that contains itself has no text. */
function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return '…'
  }
}

/** An image of a message, from the message itself or from the session's store. Nothing is loaded from elsewhere. */
function StoredImage({ image, number }: { readonly image: ShownImage; readonly number: number }) {
  const { source } = useInspector()
  const { messageDetail, number: format } = useLanguage()
  const [isBroken, setBroken] = useState(false)
  const key = 'url' in image.source ? image.source.url : image.source.sha256
  const [loaded, again] = useLoaded(
    (signal) =>
      'url' in image.source ? Promise.resolve(image.source.url) : source.blob(image.source.sha256, image.mediaType, signal),
    [key, source],
  )
  const url = loaded.state === 'there' ? loaded.value : null
  useEffect(() => {
    if (url?.startsWith('blob:') !== true) return
    return () => URL.revokeObjectURL(url)
  }, [url])
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} onRetry={again} />
  if (url === null) return <p className="muted">{messageDetail.loading}</p>
  if (isBroken || !/^(?:blob:|data:image\/)/.test(url)) return <p className="muted">{messageDetail.noImage}</p>
  return <img className="message-picture" src={url} alt={messageDetail.picture(format(number))} onError={() => setBroken(true)} />
}

/** A text of any length as text, a piece at a time. */
export function BoundedText({ text, first = 6000 }: { readonly text: string; readonly first?: number }) {
  const { messageDetail, number } = useLanguage()
  const { find } = useInspector()
  const [asked, setMax] = useState(first)
  // Far enough to have the first place that is searched for.
  const found = find === null ? -1 : text.toLowerCase().indexOf(find.toLowerCase())
  const max = found < 0 ? asked : Math.max(asked, found + 2000)
  const shown = beginningOf(text, max)
  return (
    <>
      <pre className="bounded-text" dir="auto">
        {find === null || found < 0 ? shown.text : <Marked text={shown.text} finds={[find]} />}
      </pre>
      {shown.more === 0 ? null : <Button isSmall onClick={() => setMax(max * 4)} text={messageDetail.more(number(shown.more))} />}
    </>
  )
}
