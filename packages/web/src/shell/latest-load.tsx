import type { Inspection } from '@plimsoll/core'
import { Link, useLocation } from 'wouter'
import { httpSource } from '../inspector/source/http-source.ts'
import { LoadLine } from '../inspector/window/load-line.tsx'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute } from '../parts/routes.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import type { Api } from '../server/api.ts'
import { ExampleSavings } from './example-savings.tsx'

/** What fills the window of the latest session; of the example where there is none, or none that says anything. */
export function LatestLoad() {
  const { strings } = useLanguage()
  const { api, sessionsVersion } = useApp()
  const [, go] = useLocation()
  const words = strings.shell
  const [latest] = useLoaded((signal) => latestInspection(api, signal), [api, sessionsVersion])
  if (latest.state !== 'there') return null
  const { id, inspection } = latest.value
  const { title } = inspection.session
  return (
    <section className="home-latest" aria-label={words.latest}>
      <div className="home-latest-head">
        <h2>{id === 'example' ? words.latestExample : words.latestSession(title ?? strings.turn.untitled)}</h2>
        <Link href={inspectRoute(id)}>{words.openInspector}</Link>
      </div>
      {id === 'example' ? <ExampleSavings /> : null}
      <LoadLine
        fill={inspection.fill}
        messages={inspection.messages}
        isOwn={inspection.session.isOwn}
        onShowMessages={() => go(inspectRoute(id, 'messages'))}
        onCompare={() => go(inspectRoute(id, 'what-if'))}
      />
    </section>
  )
}

/** Sessions that were only opened have nothing to show, and the first screen does not wait for the largest. */
const leastMessages = 2
const mostBytes = 4_000_000

async function latestInspection(
  api: Api,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly inspection: Inspection }> {
  const rows = await api.sessions('', signal)
  const id = rows.find(({ messages, bytes }) => messages >= leastMessages && bytes <= mostBytes)?.id ?? 'example'
  return { id, inspection: await httpSource(api, id, true).inspection(signal) }
}
