// Currencies: the codes of ISO 4217 that are in use, and the currency of each country.

// Their codes begin with the code of their only country.
const ofOneCountry =
  'AED AFN ALL AMD AOA ARS AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CLP CNY COP CRC CUP CVE ' +
  'CZK DJF DOP DZD EGP ERN ETB FJD GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR INR IQD IRR ISK JMD JOD JPY KES KGS KHR ' +
  'KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NPR OMR ' +
  'PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND ' +
  'TOP TRY TTD TWD TZS UAH UGX UYU UZS VES VND VUV WST YER ZAR ZMW ZWG'

const ofSeveral = {
  AUD: 'AU CC CX HM KI NF NR TV',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT',
  FKP: 'FK GS',
  GBP: 'GB GG IM JE',
  ILS: 'IL PS',
  MAD: 'EH MA',
  NOK: 'BV NO SJ',
  NZD: 'CK NU NZ PN TK',
  USD: 'AQ AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XPF: 'NC PF WF',
}

const byCountry = new Map([
  ...ofOneCountry.split(' ').map(currency => [currency.slice(0, 2), currency] as const),
  ...Object.entries(ofSeveral).flatMap(([currency, countries]) => countries.split(' ').map(country => [country, currency] as const)),
])

export const currencies: ReadonlySet<string> = new Set(byCountry.values())

/** The currency of a country of ISO 3166-1 alpha-2; null for none. */
export const currencyOfCountry = (country: string | null): string | null => (country && byCountry.get(country)) ?? null

const withoutDecimals = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
const withThree = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** How many decimals an amount of the currency has, by ISO 4217. */
export const decimalsOf = (currency: string): number => (withoutDecimals.has(currency) ? 0 : withThree.has(currency) ? 3 : 2)
