import { expect, test } from 'vitest'
import { loopbackPastProxies } from './own-environment.ts'

const proxy = 'http://proxy.example:3128'

test.each([
  ['no proxy', { NO_PROXY: 'internal.example' }, {}],
  ['an empty one', { HTTPS_PROXY: ' ' }, {}],
  ['nothing goes through it', { HTTP_PROXY: proxy, NO_PROXY: '*' }, {}],
  ['a proxy', { https_proxy: proxy }, { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' }],
  [
    'a proxy, and what the user keeps from it',
    { ALL_PROXY: proxy, no_proxy: 'internal.example' },
    { NO_PROXY: 'internal.example,127.0.0.1,localhost', no_proxy: 'internal.example,127.0.0.1,localhost' },
  ],
])('%s', (_, environment, variables) => expect(loopbackPastProxies(environment)).toEqual(variables))
