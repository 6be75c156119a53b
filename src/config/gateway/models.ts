// Names of models: aliases, configured providers, and the list of allowed models.

/** The model that needs no provider: it returns its input. */
export const offlineModel = 'offline/summary'

export interface ModelNames {
  allow: readonly string[]
  aliases: Readonly<Record<string, string>>
  providers: Readonly<Record<string, unknown>>
}

export type Named = { model: string; problem?: undefined } | { model?: undefined; problem: string }

/** The `provider/model` that a name or alias stands for, or the reason why it cannot be used. */
export function modelNamed({ allow, aliases, providers }: ModelNames, given: string): Named {
  const model = Object.hasOwn(aliases, given) ? (aliases[given] ?? given) : given
  const slash = model.indexOf('/')
  const provider = slash > 0 ? model.slice(0, slash) : ''
  const isKnown = provider === 'offline' ? model === offlineModel : Object.hasOwn(providers, provider) && slash < model.length - 1
  if (!isKnown) {
    const names = [offlineModel, ...Object.keys(providers).map(name => `${name}/...`), ...Object.keys(aliases)]
    return { problem: `"${given}" is not a configured model or alias; known are ${names.join(', ')}` }
  }
  if (allow.length > 0 && !isAllowed(allow, given, model))
    return { problem: `"${given}" is not one of the allowed models: ${allow.join(', ')}` }
  return { model }
}

// `allow` has models, aliases, and `<provider>/*` for all models of a provider.
const isAllowed = (allow: readonly string[], given: string, model: string): boolean =>
  allow.some(entry => entry === given || entry === model || (entry.endsWith('/*') && model.startsWith(entry.slice(0, -1))))
