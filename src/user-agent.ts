// How this program names itself in requests that it sends.

import manifest from '../package.json' with { type: 'json' }

export const { version } = manifest

export const userAgent = `Rolocom/${version}`
