import { APICallError, RetryError } from 'ai'
import { expect, it } from 'vitest'
import { isCallError, isRetryError } from './model-client.ts'

const call = new APICallError({ message: 'no', url: 'http://x', requestBodyValues: {}, statusCode: 400 })
const retry = new RetryError({ message: 'no', reason: 'maxRetriesExceeded', errors: [call] })

it.each<[name: string, error: unknown, isCall: boolean, isRetry: boolean]>([
  ['a refused call', call, true, false],
  ['a list of tries', retry, false, true],
  ['any error', new Error('no'), false, false],
  ['nothing', null, false, false],
  ['a text', 'AI_APICallError', false, false],
])('%s is known for what it is', (_name, error, isCall, isRetry) => {
  expect([isCallError(error), isRetryError(error)]).toEqual([isCall, isRetry])
  expect([APICallError.isInstance(error), RetryError.isInstance(error)]).toEqual([isCall, isRetry])
})
