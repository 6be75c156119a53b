// The models that speak for voice agents.

import type { Config } from '../../config/environment.ts'
import { modelNamed, offlineModel } from '../../config/gateway/models.ts'

/** `provider/model`, in the order in which they are asked: the setting `models.voice`, else the default model. Empty: the interviewer speaks. */
export function speakingModels({ gateway: { models } }: Pick<Config, 'gateway'>): string[] {
  const given = models.voice.length > 0 ? models.voice : models.default === undefined ? [] : [models.default]
  const named = given.flatMap(name => modelNamed(models, name).model ?? [])
  return named.filter(model => model !== offlineModel)
}
