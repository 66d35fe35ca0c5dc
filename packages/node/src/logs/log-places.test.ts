import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { logPlaces } from './find-logs.ts'

const home = '/home/sam'

function placesOf(agent: string, environment: Readonly<Record<string, string>> = {}, platform = 'linux'): readonly string[] {
  return logPlaces({ environment: { HOME: home, ...environment }, platform }).flatMap((place) =>
    place.agent === agent ? [place.folder] : [],
  )
}

describe('where agents keep their logs', () => {
  it.each([
    ['Claude Code', ['.claude/projects', '.config/claude/projects']],
    ['Codex', ['.codex/sessions', '.codex/archived_sessions']],
    ['Gemini CLI', ['.gemini/tmp']],
    ['opencode', ['storage/session', 'project', ''].map((name) => join('.local/share/opencode', name))],
    ['pi', ['.pi/agent/sessions']],
    ['Copilot CLI', ['.copilot/session-state']],
    ['OpenHands', ['.openhands/conversations']],
    ['Plimsoll', ['.local/state/plimsoll/sessions']],
  ])('%s below the home folder', (agent, folders) => expect(placesOf(agent)).toEqual(folders.map((folder) => join(home, folder))))

  it.each([
    ['Claude Code', { CLAUDE_CONFIG_DIR: '/a, /b' }, ['/a/projects', '/b/projects']],
    ['Codex', { CODEX_HOME: '/c' }, ['/c/sessions', '/c/archived_sessions']],
    ['Gemini CLI', { GEMINI_CLI_HOME: '/g' }, ['/g/.gemini/tmp']],
    ['opencode', { XDG_DATA_HOME: '/d' }, ['/d/opencode/storage/session', '/d/opencode/project', '/d/opencode']],
    ['pi', { PI_CODING_AGENT_DIR: '/p' }, ['/p/sessions']],
    ['Copilot CLI', { COPILOT_HOME: '/o' }, ['/o/session-state']],
    ['Plimsoll', { XDG_STATE_HOME: '/s' }, ['/s/plimsoll/sessions']],
  ])('%s where its variable says', (agent, environment, folders) => expect(placesOf(agent, environment)).toEqual(folders))

  it('a variable with a path that is not whole is passed over', () =>
    expect(placesOf('Codex', { CODEX_HOME: 'here' })).toEqual(placesOf('Codex')))

  it.each([
    ['linux', {}, '/home/sam/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/Cursor/User/globalStorage/saoudrizwan.claude-dev/tasks'],
    ['darwin', {}, '/home/sam/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/tasks'],
    ['win32', { APPDATA: '/r' }, '/r/VSCodium/User/globalStorage/saoudrizwan.claude-dev/tasks'],
    ['win32', {}, '/home/sam/AppData/Roaming/Code/User/globalStorage/saoudrizwan.claude-dev/tasks'],
    ['linux', {}, '/home/sam/.vscode-server/data/User/globalStorage/saoudrizwan.claude-dev/tasks'],
    ['linux', {}, '/home/sam/.cline/data/tasks'],
    ['linux', { CLINE_DIR: '/k' }, '/k/data/sessions'],
    ['linux', { CLINE_DATA_DIR: '/k' }, '/k/sessions'],
  ])('Cline on %s with %j', (platform, environment, folder) => expect(placesOf('Cline', environment, platform)).toContain(folder))

  it.each([
    ['Claude Code', '-home-sam-shop/0f1e.jsonl', true],
    ['Claude Code', '-home-sam-shop/0f1e/subagents/agent-7.jsonl', true],
    ['Claude Code', '-home-sam-shop/0f1e/subagents/workflows/wf_1/agent-7.jsonl', true],
    ['Claude Code', '-home-sam-shop/0f1e/subagents/journal.jsonl', false],
    ['Claude Code', '-home-sam-shop/0f1e/subagents/workflows/wf_1/journal.jsonl', false],
    ['Claude Code', '-home-sam-shop/0f1e/tool-results/7.txt', false],
    ['Codex', '2026/04/10/rollout-2026-04-10T20-11-00-x.jsonl', true],
    ['Codex', '2026/04/10/rollout-2026-04-10T20-11-00-x.jsonl.zst', true],
    ['Codex', 'history.jsonl', false],
    ['Gemini CLI', 'shop/chats/session-1.json', true],
    ['Gemini CLI', 'shop/chats/5d-7/0la501.jsonl', true],
    ['Gemini CLI', 'shop/logs.json', false],
    ['opencode', 'global/ses_1.json', true],
    ['pi', '--home-sam--/2026_x.jsonl', true],
    ['Cline', '1718/api_conversation_history.json', true],
    ['Cline', '1718/ui_messages.json', false],
    ['Copilot CLI', '0f1e/events.jsonl', true],
    ['Copilot CLI', '0f1e/workspace.yaml', false],
    ['OpenHands', '5a1d/events/event-00000-5a1d5379.json', true],
    ['OpenHands', '5a1d/events/event-00001-5a1d5379.json', false],
    ['OpenHands', '5a1d/base_state.json', false],
    ['Plimsoll', '20261115-054440-k3f9x2/log.jsonl', true],
  ])('%s: whether %s is a log', (agent, path, isLog) => {
    const [place] = logPlaces({ environment: { HOME: home }, platform: 'linux' }).filter((one) => one.agent === agent)
    expect(place?.logs.test(path)).toBe(isLog)
  })
})
