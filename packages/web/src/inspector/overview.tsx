import { useDeferredValue } from 'react'
import type { InspectorPartProps } from './source/inspector-part.ts'
import { LoadLine } from './window/load-line.tsx'
import type { LoadLineActions } from './window/load-line-table.tsx'
import { Treemap } from './window/treemap.tsx'

/** The first look at a session: what fills its window, and what is largest in it. */
export function Overview({ inspection, onOpenMessage, onShowMessages, onCompare }: InspectorPartProps & LoadLineActions) {
  // The load line does not wait for a hundred thousand messages to be put in order.
  const ordered = useDeferredValue(inspection, null)
  return (
    <>
      <LoadLine
        fill={inspection.fill}
        messages={inspection.messages}
        isOwn={inspection.session.isOwn}
        onShowMessages={onShowMessages}
        onCompare={onCompare}
      />
      {ordered === null ? null : <Treemap inspection={ordered} onOpenMessage={onOpenMessage} />}
    </>
  )
}
