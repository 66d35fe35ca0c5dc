import { describe, expect, it } from 'vitest'
import { ollamaAddress, versioned } from './server-access.ts'

describe('ollamaAddress', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:1234', 'http://127.0.0.1:1234/v1'],
    ['[::]:1234', 'http://127.0.0.1:1234/v1'],
    [':1234', 'http://127.0.0.1:1234/v1'],
    ['box', 'http://box:11434/v1'],
    ['box:80', 'http://box/v1'],
    ['http://box', 'http://box/v1'],
    ['https://box/', 'https://box/v1'],
    ['https://box:8443/ollama', 'https://box:8443/ollama/v1'],
    ['http://box:11434/v1', 'http://box:11434/v1'],
    ['no host', 'no host'],
  ])('reads %s', (host, address) => expect(ollamaAddress(host)).toBe(address))
})

describe('versioned', () => {
  it.each([
    ['https://host', 'https://host/v1'],
    ['https://host///', 'https://host/v1'],
    ['https://host/api/v4/', 'https://host/api/v4'],
    ['https://host/v1beta', 'https://host/v1beta'],
    ['https://host/anthropic', 'https://host/anthropic/v1'],
  ])('completes %s', (address, complete) => expect(versioned(address, 'v1')).toBe(complete))
})
