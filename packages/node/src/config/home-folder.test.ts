import { expect, it } from 'vitest'
import { homeFolder } from './home-folder.ts'

it.each([
  [{ HOME: '/home/ann', USERPROFILE: '/users/ann' }, '/home/ann'],
  [{ USERPROFILE: '/users/ann' }, '/users/ann'],
  [{}, '/of/system'],
  [{ HOME: '' }, '/of/system'],
  [{ HOME: 'here' }, '/of/system'],
])('the home folder is never one inside the folder of the call: %j', (environment, home) => {
  expect(homeFolder(environment, () => '/of/system')).toBe(home)
})

it.each([
  () => {
    throw new Error('no such user')
  },
  () => '',
])('is null if unknown', (ofSystem) => expect(homeFolder({ HOME: '' }, ofSystem)).toBeNull())
