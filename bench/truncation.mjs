// Truncation of a long log, at once and in chunks. Run by bench/run.mjs; needs the built packages.

import { createTruncator, truncate } from '../packages/core/dist/cut/truncate.js'
import { modelStrings } from '../packages/core/dist/strings/specification.js'

const megabytes = 100
const pieceLength = 65_536

/** Rows of `{ name, value, unit, bound }`: speed and the memory that stays in use while a 100 MB log passes. */
export async function truncationBench() {
  const limit = { maxChars: 8000, maxLines: 500, by: 'cap', strategy: 'head_tail', strings: modelStrings }
  const megabyte = logText(1_000_000)
  const rows = []
  // Warm up: the first megabytes run before the code is compiled.
  for (let round = 0; round < 3; round += 1) stream(megabyte, 8, limit)
  rows.push({
    name: 'truncation, 100 MB log in 64 KB pieces',
    value: round(await best(() => stream(megabyte, megabytes, limit))),
    unit: 'MB/s',
    bound: '>= 100',
  })
  const whole = megabyte.repeat(megabytes)
  truncate(whole.slice(0, 4_000_000), limit)
  rows.push({
    name: 'truncation, 100 MB log as one string',
    value: round(await best(() => truncate(whole, limit))),
    unit: 'MB/s',
    bound: '>= 100',
  })
  // Megabytes are those of the file: a Chinese character is three bytes there and one unit here.
  const chinese = logText(1_000_000, '构建 步骤 编译 模块 服务 请求 处理 返回 用户 会话 缓存 加载 配置 路径 完成'.split(' '))
  const ratio = Buffer.byteLength(chinese) / 1_000_000
  rows.push({
    name: 'truncation, Chinese log in 64 KB pieces',
    value: round(ratio * (await best(() => stream(chinese, megabytes, limit)))),
    unit: 'MB/s',
    bound: '>= 100',
  })
  rows.push({
    name: 'truncation, memory in use after 100 MB',
    value: round(heldWhileStreaming(megabyte, limit)),
    unit: 'MB',
    bound: '<= 16',
  })
  return rows
}

function stream(megabyte, count, limit) {
  const truncator = createTruncator(limit)
  for (let index = 0; index < count; index += 1) {
    for (let at = 0; at < megabyte.length; at += pieceLength) truncator.write(megabyte.slice(at, at + pieceLength))
  }
  return truncator.end()
}

/** The best of three, in megabytes per second, because slower runs are due to the machine. */
async function best(run) {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now()
    run()
    fastest = Math.min(fastest, performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return (megabytes / fastest) * 1000
}

/** New chunks each time, to expose memory that the truncator retains. */
function heldWhileStreaming(megabyte, limit) {
  const truncator = createTruncator(limit)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < megabytes; index += 1) {
    const fresh = `${index} ${megabyte}`
    for (let at = 0; at < fresh.length; at += pieceLength)
      truncator.write(Buffer.from(fresh.slice(at, at + pieceLength)).toString())
  }
  globalThis.gc?.()
  const held = (process.memoryUsage().heapUsed - before) / 1e6
  truncator.end()
  return Math.max(0, held)
}

const english =
  'build step compiled module packages server request handler returned for user session cache miss loaded config from path done worker'.split(
    ' ',
  )

function logText(length, words = english) {
  let seed = 7
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  const lines = []
  for (let size = 0, number = 1; size < length; number += 1) {
    const text = Array.from({ length: 5 + Math.floor(random() * 10) }, () => words[Math.floor(random() * words.length)]).join(' ')
    const line =
      random() < 0.01 ? `src/file-${number}.ts(${number},7): error TS2322: ${text}` : `12:00:${number % 60} INFO ${text}`
    lines.push(line)
    size += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

function round(value) {
  return Math.round(value * 10) / 10
}
