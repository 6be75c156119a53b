// The models that speak for voice agents.

import type { Config } from '../../config/environment.ts'
import { modelNamed, offlineModel } from '../../config/gateway/models.ts'

/**
 * `provider/model`, in the order in which they are asked: the agent's own, then the setting `models.voice`, else the default model. Empty: the
 * interviewer speaks.
 */
export function speakingModels({ gateway: { models } }: Pick<Config, 'gateway'>, own: string | null | undefined): string[] {
  const configured = models.voice.length > 0 || models.default === undefined ? models.voice : [models.default]
  const given = own == null ? configured : [own, ...configured]
  const named = new Set(given.flatMap(name => modelNamed(models, name).model ?? []))
  return [...named].filter(model => model !== offlineModel)
}
