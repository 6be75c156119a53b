// The format of keys and OAuth tokens: `rcm_` for an API key, `rcw_` for a widget's, `rca_` for an access token, `rcr_` for a refresh token, then
// 32 random base62 characters, and a checksum of 6 characters over the 36 before them.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^rc[amrw]_[0-9A-Za-z]{38}$/
const secretLength = 32
const checksumLength = 6

export const newApiKey = (): string => newKey('rcm_')
export const newWidgetKey = (): string => newKey('rcw_')
export const newAccessToken = (): string => newKey('rca_')
export const newRefreshToken = (): string => newKey('rcr_')

/** Whether the text has the format and checksum of a key. Typos and guesses are refused without a database query. */
export const isApiKey = (text: string): boolean => text.startsWith('rcm_') && isKey(text)
export const isWidgetKey = (text: string): boolean => text.startsWith('rcw_') && isKey(text)
export const isAccessToken = (text: string): boolean => text.startsWith('rca_') && isKey(text)

// 190 random bits, so that its SHA-256 alone protects the stored key.
function newKey(prefix: string): string {
  let secret = ''
  // 62 does not divide 256: bytes from 248 on are discarded, otherwise the first eight digits would be more frequent.
  while (secret.length < secretLength)
    for (const byte of randomBytes(secretLength)) if (byte < 248 && secret.length < secretLength) secret += digits[byte % 62]
  return prefix + secret + checksum(prefix + secret)
}

const isKey = (text: string) => form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/** CRC-32 (IEEE, as in zlib) of the ASCII characters, as six base62 digits, most significant first: 0-9, A-Z, a-z. */
export function checksum(text: string): string {
  let rest = crc32(text)
  let written = ''
  for (let i = 0; i < checksumLength; i++) {
    written = digits[rest % 62] + written
    rest = Math.floor(rest / 62)
  }
  return written
}
