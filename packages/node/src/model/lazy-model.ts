import type { CallableModel } from './local-model.ts'

/** A model whose library is loaded when it is first called: somebody who opens a chat waits for none of them. */
export function createLazyModel(
  { provider, modelId }: Pick<CallableModel, 'provider' | 'modelId'>,
  load: () => Promise<CallableModel>,
): CallableModel {
  let loading: Promise<CallableModel> | null = null
  const loaded = () => {
    loading ??= load()
    return loading
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    get supportedUrls() {
      return loaded().then((model) => model.supportedUrls)
    },
    doGenerate: async (options) => (await loaded()).doGenerate(options),
    doStream: async (options) => (await loaded()).doStream(options),
  }
}
