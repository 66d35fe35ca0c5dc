import type { Config } from '@plimsoll/core/policies'
import type { Environment } from '../../model/server-access.ts'
import type { OpenSession } from '../../session/session.ts'
import { bashTool } from '../../tools/command/bash-tool.ts'
import { createImageTool, type ImageToolOptions } from '../../tools/image/image-tool.ts'
import { createRecallTool } from '../../tools/recall-tool.ts'
import { repoMapTool } from '../../tools/repo-map/repo-map-tool.ts'
import type { Tool } from '../../tools/tool.ts'
import { changingTools, lookingTools } from '../../tools/workspace-tools.ts'

/** What the agent's own tools are made with. */
export interface OwnToolsOptions {
  readonly config: Config
  readonly environment: Environment
  readonly root: string
  /** Who makes a longer prompt of a short one for pictures; null for nobody. */
  readonly expand: ImageToolOptions['expand']
}

/** The tools that an agent has of its own, in the order they are offered. */
export function ownTools(session: OpenSession, { config, environment, root, expand }: OwnToolsOptions): readonly Tool[] {
  const image = createImageTool({ config, environment, expand })
  return [
    ...lookingTools,
    repoMapTool,
    ...changingTools,
    bashTool,
    ...(image === null ? [] : [image]),
    createRecallTool(session, { config, root }),
  ]
}
