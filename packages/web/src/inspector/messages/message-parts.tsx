import { callInput, type Part, resultText, type ToolResultPart } from '@plimsoll/core'
import { inputText } from '@plimsoll/core/text'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { beginningOf, visibleLine } from '../../parts/safe-text.ts'
import { saveAs } from '../../parts/save-as.ts'
import { partImage, resultImages, type ShownImage } from '../../parts/shown-image.ts'
import { Trouble, useLoaded, useWork } from '../../parts/use-loaded.tsx'
import type { InspectorSource } from '../source/inspector-source.ts'

interface MessagePartProps {
  readonly part: Part
  /** The number of its message. */
  readonly number: number
  /** The tool of a result that does not name it itself. */
  readonly tool: string
  readonly source: InspectorSource
}

/** One part of a message with everything in it, as text. */
export function MessagePart({ part, number, tool, source }: MessagePartProps) {
  const { inspector } = useLanguage()
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return (
        <PartFrame title={inspector.detail[part.type]}>
          <BoundedText text={part.text} />
        </PartFrame>
      )
    case 'media': {
      const image = partImage(part)
      return (
        <PartFrame title={inspector.detail.media(visibleLine(part.mediaType, 60))}>
          {image === null ? (
            <p className="muted">{inspector.detail.noPicture}</p>
          ) : (
            <StoredPicture image={image} number={number} source={source} />
          )}
        </PartFrame>
      )
    }
    case 'tool-call': {
      const input = callInput(part)
      return (
        <PartFrame title={inspector.detail.call(visibleLine(part.tool, 80))}>
          <BoundedText text={input === null ? inputText(part) : prettyJson(input)} />
        </PartFrame>
      )
    }
    case 'tool-result':
      return <Result part={part} number={number} tool={tool} source={source} />
  }
}

type PartFrameProps = { readonly title: string; readonly mark?: string | undefined; readonly children: ReactNode }

function PartFrame({ title, mark, children }: PartFrameProps) {
  return (
    <section className="message-part">
      <h3 className="message-part-title">
        {title}
        {mark === undefined ? null : <span className="message-part-mark">{mark}</span>}
      </h3>
      {children}
    </section>
  )
}

function Result({ part, number, tool: known, source }: MessagePartProps & { readonly part: ToolResultPart }) {
  const { inspector, bytes } = useLanguage()
  const { content, blob } = part
  const named = part.tool === null || part.tool === '' ? known : part.tool
  const tool = named === '' ? inspector.loadLine.unknownTool : visibleLine(named, 80)
  const text = content.type === 'json' && typeof content.value !== 'string' ? prettyJson(content.value) : resultText(part)
  const images = resultImages(content, part.metadata)
  return (
    <PartFrame title={inspector.detail.result(tool)} mark={part.isError === true ? inspector.detail.failed : undefined}>
      {text === '' && images.length > 0 ? null : <BoundedText text={text} />}
      {images.map((image, index) => (
        <StoredPicture key={index} image={image} number={number} source={source} />
      ))}
      {blob === undefined ? null : (
        <div className="message-extract">
          <span className="muted small">{inspector.detail.extract(bytes(blob.bytes))}</span>
          <SaveBlob sha256={blob.sha256} name={`message-${number}.txt`} source={source} />
        </div>
      )}
    </PartFrame>
  )
}

type SaveBlobProps = { readonly sha256: string; readonly name: string; readonly source: InspectorSource }

function SaveBlob({ sha256, name, source }: SaveBlobProps) {
  const { inspector } = useLanguage()
  const { error, run } = useWork()
  const save = async () => saveAs(await source.blob(sha256, 'text/plain'), name)
  return (
    <>
      <Button isSmall icon={Download} onClick={() => void run(save)} text={inspector.detail.save} />
      {error === null ? null : <Trouble error={error} />}
    </>
  )
}

/** What is nested without end has no text. */
function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? ''
  } catch {
    return '…'
  }
}

type StoredPictureProps = Pick<MessagePartProps, 'number' | 'source'> & { readonly image: ShownImage }

/** A picture of a message, from the message itself or from where its bytes are kept. Nothing is loaded from elsewhere. */
function StoredPicture({ image, number, source }: StoredPictureProps) {
  const { inspector, number: format } = useLanguage()
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
  if (loaded.state === 'failed') return <Trouble error={loaded.error} onRetry={again} />
  if (url === null) return <p className="muted">{inspector.detail.loading}</p>
  if (isBroken || !/^(?:blob:|data:image\/)/.test(url)) return <p className="muted">{inspector.detail.noPicture}</p>
  return (
    <img className="message-picture" src={url} alt={inspector.detail.picture(format(number))} onError={() => setBroken(true)} />
  )
}

/** A text of any length as text, a piece at a time. */
export function BoundedText({ text, first = 6000 }: { readonly text: string; readonly first?: number }) {
  const { inspector, number } = useLanguage()
  const [most, setMost] = useState(first)
  const shown = beginningOf(text, most)
  return (
    <>
      <pre className="bounded-text">{shown.text}</pre>
      {shown.more === 0 ? null : (
        <Button isSmall onClick={() => setMost(most * 4)} text={inspector.detail.more(number(shown.more))} />
      )}
    </>
  )
}
