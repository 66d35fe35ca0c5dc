import { expect, it } from 'vitest'
import { tildePath } from './format.ts'

it.each([
  ['/home/sam', '/home/sam', '~'],
  ['/home/sam/shop', '/home/sam', '~/shop'],
  ['C:\\Users\\sam\\shop', 'C:\\Users\\sam', '~\\shop'],
  ['/home/samantha/shop', '/home/sam', '/home/samantha/shop'],
  ['/srv/shop', null, '/srv/shop'],
  ['/srv/shop', '/', '/srv/shop'],
])('%s for who lives in %s is %s', (path, home, text) => expect(tildePath(path, home)).toBe(text))
