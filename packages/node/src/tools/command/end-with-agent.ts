import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Sees to it that a session of processes ends with this process, however that ends: nothing can be done any more after SIGKILL. A shell
 * outside of all sessions reads from a pipe which sessions run, and ends them when the pipe closes. Returns what to call when the session has
 * ended. Does nothing on systems without such a shell.
 */
export function endWithAgent(leader: number): () => void {
  if (process.platform === 'win32') return () => undefined
  if (watcher === null || watcher.exitCode !== null || watcher.signalCode !== null) watcher = startWatcher()
  const own = watcher
  own?.stdin?.write(`+ ${leader}\n`)
  return () => void own?.stdin?.write(`- ${leader}\n`)
}

let watcher: ChildProcess | null = null

function startWatcher(): ChildProcess | null {
  try {
    const child = spawn('/bin/sh', ['-c', script, 'plimsoll-watch'], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // Without it, commands run as before.
    child.on('error', () => undefined)
    child.stdin?.on('error', () => undefined)
    child.unref()
    ;(child.stdin as Socket | null)?.unref()
    return child.pid === undefined ? null : child
  } catch {
    return null
  }
}

/** A session can have several groups; only Linux lists its members. */
const script = `
trap '' HUP INT TERM QUIT PIPE
live=
while read -r change leader; do
  if [ "$change" = + ]; then live="$live $leader"; continue; fi
  rest=
  for each in $live; do [ "$each" = "$leader" ] || rest="$rest $each"; done
  live=$rest
done
[ -n "$live" ] || exit 0
end() {
  for leader in $live; do kill -s "$1" -- "-$leader"; done
  for file in /proc/[0-9]*/stat; do
    read -r line <"$file" || continue
    pid=\${file#/proc/}
    set -- "$1" \${line##*) }
    for leader in $live; do [ "$5" != "$leader" ] || kill -s "$1" "\${pid%/stat}"; done
  done
}
end TERM 2>/dev/null
sleep 1
end KILL 2>/dev/null
`
