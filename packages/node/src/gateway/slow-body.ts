import type { IncomingMessage } from 'node:http'

/** Bytes a second below which a body counts as held back: the slowest line there is has more. */
const leastRate = 1000

/**
 * Calls back where a body does not get on: what comes within so many seconds is less than any line brings. A body may take as long as it
 * needs while it comes, and longer ones need longer.
 */
export function watchBody(request: IncomingMessage, seconds: number, onSlow: () => void): void {
  const { socket } = request
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    const came = socket.bytesRead - seen
    seen += came
    if (came >= leastRate * seconds) return
    clearInterval(timer)
    onSlow()
  }, seconds * 1000)
  request.once('end', () => clearInterval(timer)).once('close', () => clearInterval(timer))
}
