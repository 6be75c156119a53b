// Languages and voices that the form of an agent suggests. Providers have more, and the form takes any.

import type { TelephoneProvider } from '../../generated/schema.ts'
import { language, locale } from '../../language/language.ts'

const languageTags = [
  ...[
    'en-US',
    'en-GB',
    'en-AU',
    'de-DE',
    'fr-FR',
    'es-ES',
    'es-MX',
    'it-IT',
    'nl-NL',
    'pt-PT',
    'pt-BR',
    'pl-PL',
    'sv-SE',
    'da-DK',
    'nb-NO',
  ],
  ...['fi-FI', 'cs-CZ', 'tr-TR', 'ja-JP', 'ko-KR', 'zh-CN', 'hi-IN'],
]

/** The language of this app's words, with the region that the browser prefers. */
export const languageOfWords =
  languageTags.find(tag => tag === locale) ?? languageTags.find(tag => tag.startsWith(`${language}-`)) ?? language

/** Languages as options, the chosen one too. */
export function languageOptions(chosen: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const tags = chosen === '' || languageTags.includes(chosen) ? languageTags : [chosen, ...languageTags]
  return tags.map(value => ({ value, label: names.of(value) ?? value }))
}

// Neural voices of Amazon Polly at Twilio, and of Azure at Vapi, by language.
const voices: Readonly<Record<string, { TWILIO: readonly string[]; VAPI: readonly string[] }>> = {
  en: {
    TWILIO: ['Polly.Joanna-Neural', 'Polly.Matthew-Neural', 'Polly.Amy-Neural', 'Polly.Brian-Neural'],
    VAPI: ['azure:en-US-JennyNeural', 'azure:en-US-GuyNeural', 'azure:en-GB-SoniaNeural', 'azure:en-GB-RyanNeural'],
  },
  de: { TWILIO: ['Polly.Vicki-Neural', 'Polly.Daniel-Neural'], VAPI: ['azure:de-DE-KatjaNeural', 'azure:de-DE-ConradNeural'] },
  fr: { TWILIO: ['Polly.Lea-Neural', 'Polly.Remi-Neural'], VAPI: ['azure:fr-FR-DeniseNeural', 'azure:fr-FR-HenriNeural'] },
  es: { TWILIO: ['Polly.Lucia-Neural', 'Polly.Sergio-Neural'], VAPI: ['azure:es-ES-ElviraNeural', 'azure:es-ES-AlvaroNeural'] },
  it: { TWILIO: ['Polly.Bianca-Neural', 'Polly.Adriano-Neural'], VAPI: ['azure:it-IT-ElsaNeural', 'azure:it-IT-DiegoNeural'] },
  nl: { TWILIO: ['Polly.Laura-Neural'], VAPI: ['azure:nl-NL-ColetteNeural', 'azure:nl-NL-MaartenNeural'] },
  pt: { TWILIO: ['Polly.Ines-Neural', 'Polly.Camila-Neural'], VAPI: ['azure:pt-PT-RaquelNeural', 'azure:pt-BR-FranciscaNeural'] },
  pl: { TWILIO: ['Polly.Ola-Neural'], VAPI: ['azure:pl-PL-AgnieszkaNeural', 'azure:pl-PL-MarekNeural'] },
}

export const voiceSuggestions = (provider: TelephoneProvider, language: string): readonly string[] =>
  provider === 'TWILIO' || provider === 'VAPI' ? (voices[language.split('-')[0] || 'en']?.[provider] ?? []) : []
