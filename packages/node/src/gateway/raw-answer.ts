import { STATUS_CODES } from 'node:http'

/** A whole answer for a connection that nobody speaks HTTP on any more; the connection ends with it. */
export function rawAnswer(status: number, headers: readonly string[], body: string): string {
  let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (let index = 0; index + 1 < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`
  return `${lines}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}
