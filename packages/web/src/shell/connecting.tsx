import type { Hello } from '@plimsoll/core'
import { useLanguage } from '../parts/language.tsx'
import { Trouble } from '../parts/trouble.tsx'
import type { Loaded } from '../parts/use-loaded.ts'
import { ApiError } from '../server/api.ts'
import './shell.css'

/** Shown until the server has answered, and when it does not. */
export function Connecting({ hello, onRetry }: { readonly hello: Loaded<Hello>; readonly onRetry: () => void }) {
  const { strings } = useLanguage()
  if (hello.state !== 'failed') return <p className="centered muted">{strings.shell.connecting}</p>
  if (hello.error instanceof ApiError && hello.error.status === 401) return <NoToken />
  return (
    <main className="centered">
      <Trouble error={hello.error} onRetry={onRetry} />
    </main>
  )
}

/** Shown where the page was opened without the address that the server printed. */
export function NoToken() {
  const { strings } = useLanguage()
  const words = strings.shell
  return (
    <main className="centered">
      <h1>{words.noTokenTitle}</h1>
      <p>{words.noToken}</p>
      <pre>http://127.0.0.1:{location.port}/#token=…</pre>
    </main>
  )
}
